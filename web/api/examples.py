"""The API's own page: examples that can be run against this server, and all addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from daybook.domain.kernel.frozen import Frozen

METHODS = ("get", "post", "put", "patch", "delete")
PREFIX = "/api/v1"
OPENS = (
    '{"ruleset": "making_profit", "title": "An example",\n'
    '  "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}'
)


class Example(Frozen):
    """An example request.

    `path` is relative to the API; $GAME and $KEY are of the game that the first writing example opens. A `keyed`
    request sends the game's key. A `plain` request can be opened in a browser as a link.
    """

    says: str
    path: str
    method: str = "GET"
    body: str = ""
    keyed: bool = False

    @property
    def plain(self) -> bool:
        return self.method == "GET" and not self.keyed

    def curl(self, root: str) -> str:
        """Return the request as a command line."""
        lines = ["curl" if self.method == "GET" else f"curl -X {self.method}", f"'{root}{self.path}'"]
        if self.keyed:
            lines[1] = f'"{root}{self.path}"'
            lines.append('-H "Authorization: Bearer $KEY"')
        if self.method != "GET":
            lines.append('-H "Idempotency-Key: $(uuidgen)"')
        if self.body:
            lines += ["-H 'Content-Type: application/json'", f"-d '{self.body}'"]
        return " \\\n  ".join([" ".join(lines[:2]), *lines[2:]])


EXAMPLES = (
    Example("Is everything well?", "/health"),
    Example("Which games does it know?", "/rulesets"),
    Example("The newest games, page by page: follow next", "/games?limit=3"),
    Example("Find games by words and days", "/games?q=making+profit&since=2026-01-01&limit=3"),
    Example("Open a game; the answer holds its keys", "/games", "POST", OPENS),
    Example("What may be decided now? Here the table turns a card up", "/games/$GAME/legal?seat=-1", keyed=True),
    Example(
        "Write a decision down",
        "/games/$GAME/decisions",
        "POST",
        '{"seat": -1, "decision": {"type": "drawn", "card": "R1"}, "at": 0}',
        keyed=True,
    ),
    Example("The board after it", "/games/$GAME/position", keyed=True),
)


class DocumentedAddress(Frozen):
    """An address of the document. Each parameter has its name, its place, if it is required, and its help."""

    method: str
    path: str
    summary: str
    description: list[str]
    parameters: list[tuple[str, str, bool, str]]
    body: list[str]
    statuses: list[str]
    needs_key: bool


class SectionShown(Frozen):
    id: str
    name: str
    about: str
    addresses: list[DocumentedAddress]


def sections_of(document: Mapping[str, Any]) -> list[SectionShown]:
    """Return the sections of an OpenAPI document with their addresses, in its order."""
    found: dict[str, list[DocumentedAddress]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                found[item[method]["tags"][0]].append(_address(document, method, path, item))
    return [
        SectionShown(re.sub(r"[^a-z]+", "-", tag["name"].lower()), tag["name"], tag["description"], found[tag["name"]])
        for tag in document["tags"]
    ]


def _address(document: Mapping[str, Any], method: str, path: str, item: Mapping[str, Any]) -> DocumentedAddress:
    operation = item[method]
    given = (*item.get("parameters", ()), *operation.get("parameters", ()))
    parameters = [_resolve_reference(document, parameter) for parameter in given]
    body = _resolve_reference(
        document, operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    )
    return DocumentedAddress(
        method.upper(),
        path.removeprefix(PREFIX),
        operation.get("summary", ""),
        [part.replace("\n", " ") for part in operation.get("description", "").split("\n\n") if part.strip()],
        [
            (
                given["name"],
                given["in"],
                given.get("required", False),
                given.get("description", "") or given.get("schema", {}).get("description", ""),
            )
            for given in parameters
        ],
        [*body.get("properties", {})],
        sorted(operation["responses"]),
        bool(operation.get("security")),
    )


def _resolve_reference(document: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a part of the document, with its reference resolved."""
    if "$ref" not in value:
        return value
    found: Any = document
    for name in value["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    resolved: Mapping[str, Any] = found
    return resolved
