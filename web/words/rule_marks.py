"""Ids of rules on pages: a tap shows the rule in one sentence (page.js)."""

from __future__ import annotations

from markupsafe import Markup

from daybook.web.words import rule_sentence

BARE = Markup('<span class="rule-id">{}</span>')
OPENS = Markup(
    '<button type="button" class="rule-id" aria-expanded="false">{}</button><span class="rule-says" hidden>{}</span>'
)


def rule_mark(ruleset_id: str, rule: str) -> Markup:
    """Return a rule's id, with its sentence if the game's words have one."""
    says = rule_sentence(ruleset_id, rule)
    return OPENS.format(rule, says) if says else BARE.format(rule)
