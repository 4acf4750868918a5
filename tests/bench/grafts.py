"""Gives modules that are imported already the tables and constants of a changed one, without importing all anew.

A table is changed where it stands, so that whoever holds it sees the change; whatever cannot be changed (a number, a
tuple) is bound anew in every module that has it under the same name, and a tuple in the parts of rulesets that hold it.
What was worked out from a table before, and what defines a type, stays as it was: a change that then goes unnoticed has
to be imported to be sure.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

import msgspec

Cached = type(functools.cache(len))


def graft(name: str, code: CodeType, trees: tuple[str, ...]) -> bool:
    """Puts what `code` makes of a module into the module that is there; False if that cannot be, or changes nothing.

    trees: how the modules' names begin that may have imported from it.
    """
    live, changed = sys.modules[name], ModuleType(name)
    vars(changed).update(__file__=live.__file__, __package__=live.__package__, __spec__=live.__spec__)
    exec(code, vars(changed))
    names = [each for each in vars(changed) if not each.startswith("__")]
    if any(isinstance(it := getattr(changed, each), type) and it.__module__ == name for each in names):
        return False
    different = []
    for each in names:
        before, after = vars(live)[each], vars(changed)[each]
        if same(before, after, set()):
            setattr(changed, each, before)  # so that new functions work with what the others have
        else:
            different.append((each, before, after))
    for each, before, after in different:
        if not changed_in_place(before, after):
            for module in [module for key, module in sys.modules.items() if key.startswith(trees)]:
                if vars(module).get(each) is before:
                    setattr(module, each, after)
                if isinstance(before, tuple) and before:  # there is one empty tuple for all
                    put_in_place_of(before, after, vars(module), set())
    return bool(different)


def put_in_place_of(before: tuple[Any, ...], after: Any, holder: Any, asked: set[int]) -> None:
    """Gives dataclasses, also in tables and in each other, one tuple for another. asked: holders looked through."""
    if id(holder) in asked:
        return
    asked.add(id(holder))
    if isinstance(holder, dict):
        for held in [*holder.values()]:
            if isinstance(held, dict) or dataclasses.is_dataclass(type(held)):
                put_in_place_of(before, after, held, asked)
        return
    for each in dataclasses.fields(holder):
        held = getattr(holder, each.name)
        if held is before:
            object.__setattr__(holder, each.name, after)
        elif isinstance(held, dict) or dataclasses.is_dataclass(type(held)):
            put_in_place_of(before, after, held, asked)


def changed_in_place(before: Any, after: Any) -> bool:
    """Makes one like the other, if it is of a kind that can change."""
    if type(before) is not type(after):
        return False
    if isinstance(before, (dict, set)):
        before.clear()
        before.update(after)
    elif isinstance(before, list):
        before[:] = after
    elif isinstance(before, FunctionType):
        before.__code__, before.__defaults__ = after.__code__, after.__defaults__
        before.__kwdefaults__ = after.__kwdefaults__
    elif dataclasses.is_dataclass(before):
        for each in dataclasses.fields(before):
            old, new = getattr(before, each.name), getattr(after, each.name)
            if not same(old, new, set()) and not changed_in_place(old, new):
                object.__setattr__(before, each.name, new)
        for worked_out in vars(before).keys() - {each.name for each in dataclasses.fields(before)}:
            vars(before).pop(worked_out)  # a cached property
    else:
        return False
    return True


def same(one: Any, other: Any, asked: set[tuple[int, int]]) -> bool:
    """Whether two values mean the same, functions by their code. asked: pairs that are being compared."""
    if one is other or (id(one), id(other)) in asked:
        return True
    if type(one) is not type(other):
        return False
    asked.add((id(one), id(other)))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key], asked) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(same(*pair, asked) for pair in zip(one, other, strict=True))
    if isinstance(one, FunctionType):
        return same(parts_of(one), parts_of(other), asked)
    if isinstance(one, Cached):
        return same(one.__wrapped__, other.__wrapped__, asked)
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, each.name), getattr(other, each.name), asked) for each in dataclasses.fields(one))
    if isinstance(one, msgspec.Struct):
        return all(same(getattr(one, each), getattr(other, each), asked) for each in one.__struct_fields__)
    return bool(one == other)


def parts_of(function: FunctionType) -> tuple[Any, ...]:
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    return function.__code__, function.__defaults__, function.__kwdefaults__, cells
