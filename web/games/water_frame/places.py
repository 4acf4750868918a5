"""Places on the board of Arkwright: Water Frame that a table may put right, by name."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.words.say import N_

PATHS: Mapping[str, str] = {
    "/players/*/cash": N_("{k0}: cash"),
    "/players/*/shares": N_("{k0}: shares held"),
    "/players/*/bank": N_("{k0}: shares in the bank"),
    "/players/*/loans": N_("{k0}: loans"),
    "/players/*/space": N_("{k0}: space of the share value"),
    "/players/*/crew": N_("{k0}: crews"),
    "/players/*/factories/*": N_("{k0}: {k1} factory"),
    "/players/*/factories/*/level": N_("{k0}: level of {k1}"),
    "/players/*/factories/*/price": N_("{k0}: price of {k1}"),
    "/players/*/factories/*/quality": N_("{k0}: quality marker of {k1}"),
    "/players/*/factories/*/distribution": N_("{k0}: distribution marker of {k1}"),
    "/players/*/factories/*/workers": N_("{k0}: workers of {k1}"),
    "/players/*/factories/*/workers/*": N_("{k0}: workers of {k1}, place {k2}"),
    "/players/*/factories/*/machines": N_("{k0}: machines of {k1}"),
    "/players/*/factories/*/machines/*": N_("{k0}: machines of {k1}, place {k2}"),
    "/players/*/factories/*/additional": N_("{k0}: additional workers of {k1}"),
    "/players/*/factories/*/obsolete": N_("{k0}: {k1} is obsolete"),
    "/players/*/factories/*/marked": N_("{k0}: {k1} is marked"),
    "/players/*/chart/*": N_("{k0}: marker on the £{k1} row"),
    "/players/*/slots/*": N_("{k0}: workers at {k1}"),
    "/players/*/slots/row": N_("{k0}: workers at the rows of the warehouse"),
    "/players/*/stored/*": N_("{k0}: {k1} stored"),
    "/players/*/contracts/*": N_("{k0}: contract for {k1}"),
    "/players/*/markers": N_("{k0}: grey markers"),
    "/players/*/ships": N_("{k0}: ships"),
    "/players/*/tiles": N_("{k0}: development tiles"),
    "/players/*/tally": N_("{k0}: what was added up"),
    "/market": N_("workers on the job market"),
    "/fired": N_("workers on the fired space"),
    "/box": N_("workers in the box"),
    "/importers/*": N_("importer of {k0}"),
    "/tiles/*": N_("tiles laid out: {k0}"),
    "/mat/*": N_("row {k0} of the mat"),
    "/mat/*/markers": N_("grey markers on row {k0} of the mat"),
    "/mat/*/ships": N_("ships on row {k0} of the mat"),
    "/economy/*": N_("economy markers of {k0}"),
    "/closed_rows/*": N_("£{k0} row closed until"),
    "/events": N_("events"),
    "/start": N_("start player"),
    "/decade": N_("decade"),
    "/cycle": N_("cycle"),
}
