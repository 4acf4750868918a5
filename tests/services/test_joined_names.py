"""Names that need a joiner, and emoji, wherever a name or a title is taken."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.sheet import bad_name
from daybook.domain.league.event_checks.common import name_fault
from daybook.services.exchange.incoming import clean_text
from daybook.services.names import NAME_LIMIT, BadNameError, clean_name, read_names, refuse_lookalikes

JOINED = (
    "علی\u200cرضا",  # Persian
    "അനില്\u200d",  # Malayalam, with a joiner at its end
    "ශ්\u200dරී",  # Sinhala
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
    "Kim \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # a flag
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "Zoë \U0001fae8",  # an emoji of Unicode 15
)
REFUSED = ("An\u202ena", "An\u2066na", "An\u200fna", "An\x00na", "An\x1bna", "An\ue000na", "An\ufeffna", "An\u00adna")
STRAY = ("An\u200dna", "Anna\u200c", "\u200dAnna", "An\U000e0067na", "علی\u200c\u200cرضا", "Анна\u200d", "안나\u200d")


@pytest.mark.parametrize("name", JOINED)
def test_joined_name_is_accepted_and_kept(name):
    assert clean_name("name", name, NAME_LIMIT) == name
    assert read_names(f"{name}\nBen").names == [name, "Ben"]
    assert name_fault(name) is None
    assert clean_text(name) == name and clean_text(f"{name} " * 40).startswith(name)
    assert not any(sign.isalpha() for sign in name) or bad_name(name) is None


@pytest.mark.parametrize("name", (*REFUSED, *STRAY))
def test_name_with_control_signs_is_still_refused(name):
    with pytest.raises(BadNameError, match="cannot be shown"):
        clean_name("name", name, NAME_LIMIT)
    assert name_fault(name) is not None and bad_name(name) is not None


@pytest.mark.parametrize("name", ["\u200d", "\u200c \u200d", "\U000e0067\U000e007f", "\u200d\ufe0f"])
def test_name_of_joiners_alone_is_refused(name):
    with pytest.raises(BadNameError, match="no letter that can be seen"):
        clean_name("name", name, NAME_LIMIT)


@pytest.mark.parametrize("second", ["An\u200dna", "Anna\u200c", "\u200dAnna", "Anna\U000e0067"])
def test_joiners_do_not_make_another_name_at_a_table(second):
    with pytest.raises(BadNameError) as no:
        refuse_lookalikes(["Anna", second])
    assert no.value.field == "players.1.name"


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\ufe0f"])
def test_name_that_nobody_sees_is_refused_by_every_reader(name):
    assert name_fault(name) is not None and clean_text(name) == ""


@pytest.mark.parametrize("name", STRAY[:4])
def test_import_reads_a_name_without_stray_joiners(name):
    assert clean_text(name).replace(" ", "") == "Anna"
