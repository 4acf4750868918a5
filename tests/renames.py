"""Write docs/renames.toml: the names of 0.2.0 and what they are called now. Removed after 1.0.0.

`python -m tests.renames` compares the tree of 0.2.0 in git with this one. Names that stayed are not listed.
"""

from __future__ import annotations

import ast
import io
import math
import re
import subprocess
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs/renames.toml"
OLD = "29bf16a7"  # the commit of 0.2.0
FOLDERS = ("daybook", "domain", "services", "web", "workers")
SIMILAR = 0.78  # cosine of two definitions of one module from which on one is taken for the other
SIMILAR_ELSEWHERE = 0.9  # the same in another module, where more of them look alike
MODULE_SIMILARITY = "-M35%"
ROUTES = {"get", "post", "route", "reads", "acts", "writes"}
SENT = {"text_sent", "whole_number_sent"}

EVENTS = {
    "day_of_play_told": "day_of_play_set",
    "game_laid_open": "game_revealed",
    "club_settled": "club_settings_changed",
    "club_zone_set": "club_time_zone_set",
    "league_settled": "league_changed",
    "season_settled": "season_changed",
    "season_who_sat": "season_seating_corrected",
    "season_evenings_apart": "season_separate_games_confirmed",
    "season_order_kept": "season_final_order_kept",
}
COMMANDS = {"takeback": "take_back", "aside": "entry", "lay_open": "reveal_game", "tell_day_of_play": "set_day_of_play"}
STEPS = {
    "answers": "answers_step",
    "carried_from": "copied_from_step",
    "closed": "closed_periods",
    "corrects": "corrects_step",
    "drawn": "drawn_by_daybook",
    "replaces_draw": "replaces_drawn_step",
    "to": "to_step",
    "about": "about_step",
    "what": "statement",
    "first": "appealed_changes",
    "computed": "rules_applied",
    "by_hand": "values",
    "before": "previous_day",
    "broken": "revoked",
    "clock": "clock_ahead_seconds",
    "count": "count_step",
    "played": "played_on",
    "said": "entry",
    "instead": "replacements",
    "another": "separate",
    "apart_from": "separate_from",
    "cost": "unfairness",
    "ended": "ended_at",
    "gone": "merged",
    "known": "game_step",
    "other": "other_table",
}
WRITING = ("step", "at", "by", "key", "nonce")  # fields of every entry
SETTINGS = {"chances_seconds": "win_chances_seconds_per_day"}


class Definition(NamedTuple):
    """A public function or class: its module, its name, and what its body consists of."""

    module: str
    name: str
    features: Counter[str]


class Tree(NamedTuple):
    """The Python modules and templates of one version, by path."""

    modules: Mapping[str, ast.Module]
    templates: Mapping[str, str]


def old_tree() -> Tree:
    archive = subprocess.run(["git", "archive", OLD, *FOLDERS], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        texts = {
            member.name: file.read().decode()
            for member in files
            if member.isfile() and _is_read(member.name) and (file := files.extractfile(member)) is not None
        }
    return _tree(texts)


def new_tree() -> Tree:
    paths = _git("ls-files", *FOLDERS).splitlines()
    return _tree({path: (ROOT / path).read_text(encoding="utf-8") for path in paths if _is_read(path)})


def _is_read(path: str) -> bool:
    return path.endswith((".py", ".html")) and not (ROOT / path).is_symlink()


def _tree(texts: Mapping[str, str]) -> Tree:
    return Tree(
        {path: ast.parse(text) for path, text in texts.items() if path.endswith(".py")},
        {path: text for path, text in texts.items() if path.endswith(".html")},
    )


def _git(*args: str) -> str:
    return subprocess.run(["git", *args], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def renamed_modules(old: Tree, new: Tree) -> dict[str, str]:
    """Return the new path of every old module; "" for one without a successor."""
    found = {path: path if path in new.modules else "" for path in old.modules}
    for line in _git("diff", MODULE_SIMILARITY, "-l0", "--name-status", OLD, "--", *FOLDERS).splitlines():
        status, *paths = line.split("\t")
        if status.startswith("R") and paths[0] in found and paths[1] in new.modules:
            found[paths[0]] = paths[1]
    return found


def definitions(tree: Tree) -> list[Definition]:
    return [
        Definition(path, node.name, _features(node))
        for path, module in tree.modules.items()
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]


def _features(node: ast.AST) -> Counter[str]:
    """Count the node types, names and texts of a definition without its docstring."""
    found: Counter[str] = Counter()
    for part in ast.walk(node):
        found[type(part).__name__] += 1
        if isinstance(part, ast.Name):
            found[f"name {part.id}"] += 3
        elif isinstance(part, ast.Attribute):
            found[f"name {part.attr}"] += 3
        elif isinstance(part, ast.arg):
            found[f"name {part.arg}"] += 2
        elif isinstance(part, ast.Constant) and isinstance(part.value, str | int) and len(str(part.value)) < 60:
            found[f"value {part.value}"] += 3
    return found


def renamed_definitions(old: Tree, new: Tree, modules: Mapping[str, str]) -> dict[str, str]:
    """Return old "module.name" -> the new one, for those that moved or changed; "" without a successor."""
    before, after = definitions(old), definitions(new)
    by_module: dict[str, dict[str, Definition]] = defaultdict(dict)
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for definition in after:
        by_module[definition.module][definition.name] = definition
        by_name[definition.name].append(definition)
    had = {(modules[definition.module], definition.name) for definition in before}
    fresh = [definition for definition in after if (definition.module, definition.name) not in had]
    found: dict[str, str] = {}
    for definition in before:
        module = modules[definition.module]
        if definition.name in by_module[module]:
            successor: Definition | None = by_module[module][definition.name]
        else:
            moved = [
                candidate for candidate in by_name[definition.name] if _similarity(definition, candidate) >= SIMILAR
            ]
            near = moved or [candidate for candidate in fresh if candidate.module == module]
            successor = _nearest(definition, near, SIMILAR) or _nearest(definition, fresh, SIMILAR_ELSEWHERE)
        name = dotted(definition.module, definition.name)
        other = "" if successor is None else dotted(successor.module, successor.name)
        if name != other:
            found[name] = other
    return found


def _nearest(definition: Definition, candidates: list[Definition], minimum: float) -> Definition | None:
    best = max(candidates, key=lambda candidate: _similarity(definition, candidate), default=None)
    return best if best is not None and _similarity(definition, best) >= minimum else None


def _similarity(first: Definition, second: Definition) -> float:
    a, b = first.features, second.features
    size = sum(a.values()), sum(b.values())
    if min(size) * 3 < max(size) or ("ClassDef" in a) != ("ClassDef" in b):
        return 0.0
    dot = sum(count * b[feature] for feature, count in a.items() if feature in b)
    return dot / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))


def dotted(path: str, name: str = "") -> str:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{module}.{name}" if name else module


def tagged_fields(tree: Tree, paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the fields of the Structs of some modules by tag, with those of their bases in the same modules."""
    classes = {
        node.name: node
        for path in paths
        if path in tree.modules
        for node in tree.modules[path].body
        if isinstance(node, ast.ClassDef)
    }
    return {tag: list(_fields(node, classes)) for node in classes.values() if (tag := _tag(node)) is not None}


def _fields(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            yield from _fields(classes[base.id], classes)
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


def _tag(node: ast.ClassDef) -> str | None:
    tags = [word.value for word in node.keywords if word.arg == "tag"]
    return str(tags[0].value) if tags and isinstance(tags[0], ast.Constant) else None


def routes(tree: Tree) -> dict[str, str]:
    """Return address -> "module.function" of pages and the API."""
    return {
        text.value: dotted(path, node.name)
        for path, module in tree.modules.items()
        if path.startswith("web/")
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in node.decorator_list
        if isinstance(call, ast.Call) and _called(call) in ROUTES
        for text in call.args[:2]
        if isinstance(text, ast.Constant) and str(text.value).startswith("/")
    }


def form_fields(tree: Tree) -> set[str]:
    """Return the names of fields in templates, and those that views read."""
    found = {name for text in tree.templates.values() for name in re.findall(r'\bname="([a-z_]+)"', text)}
    for path, module in tree.modules.items():
        for node in ast.walk(module) if path.startswith("web/") else ():
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                is_form = isinstance(node.func, ast.Attribute) and ast.unparse(node.func).endswith("form.get")
                if is_form or _called(node) in SENT:
                    found.add(str(node.args[0].value))
    return found


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def settings(tree: Tree) -> list[str]:
    for node in tree.modules["services/settings.py"].body:
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.target) == "READERS"
            and isinstance(node.value, ast.Dict)
        ):
            return [str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)]
    raise AssertionError("services/settings.py has no READERS")


EVENT_FILES = ("domain/kernel/events.py", "domain/league/club_events.py")
COMMAND_FILES = ("domain/commands.py",)


def renames() -> dict[str, dict[str, str]]:
    """Return old -> new names by section; "" for a name that is gone."""
    old, new = old_tree(), new_tree()
    modules = renamed_modules(old, new)
    functions = renamed_definitions(old, new, modules)
    return {
        "modules": _with_majorities(
            {dotted(path): dotted(other) if other else "" for path, other in modules.items() if path != other},
            functions,
        ),
        "functions_and_classes": functions,
        **_renamed_tags("event", old, new, EVENT_FILES, EVENTS),
        **_renamed_tags("command", old, new, COMMAND_FILES, COMMANDS),
        "addresses": _renamed_addresses(routes(old), routes(new), functions),
        "form_fields": {name: _field(name, form_fields(new)) for name in form_fields(old) - form_fields(new)},
        "settings": {
            f"DAYBOOK_{name.upper()}": f"DAYBOOK_{SETTINGS[name].upper()}" if name in SETTINGS else ""
            for name in settings(old)
            if name not in settings(new)
        },
    }


def _with_majorities(modules: Mapping[str, str], functions: Mapping[str, str]) -> dict[str, str]:
    """Name the module to which most definitions of a module without a successor moved."""
    found: dict[str, str] = {}
    for module, successor in modules.items():
        moved = Counter(
            other.rpartition(".")[0] for name, other in functions.items() if other and name.rpartition(".")[0] == module
        )
        name, count = moved.most_common(1)[0] if moved else ("", 0)
        found[module] = successor or (name if count > 1 and count * 2 > moved.total() else "")
    return found


def _field(name: str, names: set[str]) -> str:
    return STEPS.get(name, "") if STEPS.get(name) in names else ""


def _renamed_tags(
    kind: str, old: Tree, new: Tree, paths: tuple[str, ...], changed: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    before, after = tagged_fields(old, paths), tagged_fields(new, paths)
    tags = {tag: tag if tag in after else changed.get(tag, "") for tag in before}
    fields = {
        f"{tag}.{name}": f"{other}.{_field(name, {*after[other]})}" if _field(name, {*after[other]}) else ""
        for tag, other in tags.items()
        if other
        for name in before[tag]
        if name not in (*after[other], *WRITING)
    }
    return {f"{kind}s": {tag: other for tag, other in tags.items() if tag != other}, f"{kind}_fields": fields}


def _renamed_addresses(
    before: Mapping[str, str], after: Mapping[str, str], functions: Mapping[str, str]
) -> dict[str, str]:
    by_function = {function: address for address, function in after.items()}
    return {
        address: by_function.get(functions.get(function, function), "")
        for address, function in before.items()
        if address not in after
    }


HEAD = """\
# Names of 0.2.0 and what they are called since. Names that stayed are not listed; "" means removed, or rewritten so far
# that no name stands for it. Functions that got other names are matched by the likeness of their bodies.
# Written by `python -m tests.renames`; removed after 1.0.0.
"""


def text() -> str:
    parts = [HEAD]
    for section, names in renames().items():
        parts.append(f"[{section}]")
        parts += [f'"{old}" = "{new}"' for old, new in sorted(names.items())]
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
