"""Conditions for sight: each place that checks if a viewer may see more, and why no viewer can cause it.

The rule: a viewer never controls what lets them see more. The rules of the game, the seat that has the hand, or a step
that ends the game controls it. A test finds every place that checks one of these conditions, and every other way to more
sight, and names the adversary that tried it:
`tests/services/permissions/test_conditions.py`.
"""

from __future__ import annotations

CONDITIONS = {
    # --- games that are open or not ---
    "domain.kernel.record.Game.is_revealed": "closed by its rules, given up and laid open, or of practice players alone: giving up covers what was covered,"
    " laying open ends the game for good, and who plays is fixed when it is opened",
    "domain.kernel.record.Game.may_hold_sealed": "sealed parts stay sealed until the game is open",
    "services.permissions.sights.sights_of": "the place at the table decides; a reader sees only open parts",
    "services.permissions.sights.hides_nothing": "who sees every hand sees nothing that is sealed",
    "services.permissions.club_roles.covers_from": "a role adds nothing to a seat at a covered table: whoever recorded from a seat sits there, and a merge opens"
    " no seat",
    "services.permissions.visits.Visit.sights": "who keeps the record of sealed offers looks through no seat besides",
    "web.api.keys.sight_of": "a sight is asked for by name, and given only if it is one of the holder's",
    "web.api.keys.may_see_hand": "a hand is asked for by its seat, as a sight is",
    "web.api.game_links._game_answer": "tells a holder which sights are theirs",
    # --- what is sealed ---
    "domain.sealed_entries.first_sealed": "a decision of the rules reveals; an adjustment, an illegal move that stood and a take-back do not",
    "domain.sealed_entries.before_seals": "going back over a reveal opens nothing: what was open is made again",
    "domain.sealed_entries.refuse_half_reveal": "the same, as a refusal",
    "domain.sealed_entries.reopened_at": "tells that offers are made again, and never which",
    "domain.sealed_entries.corrected_after_reveal": "tells which offers were corrected that everyone had seen",
    "domain.sealed_entries.standing_seal": "tells who sealed something and in which step, and never what",
    "domain.sealed_entries.refuse_unsealing": "nothing that is put right by hand lays a sealed place open",
    "domain.corrections.Correction.plan": "a plan shows the board as the scorekeeper sees it",
    "domain.corrections.sealed_since": "sealed decisions are not carried over by a correction: they are made again",
    "domain.corrections.seen_by_keeper": "nor are they told by one",
    "services.play.sealing.current_sealing": "tells who has sealed something, and never what",
    "services.permissions.actions._nothing_is_sealed": "the record as a file goes to who sees every hand, while nothing is sealed",
    "services.permissions.actions._sees_every_hand": "a file ends where the first sealed entry stands",
    # --- disputes ---
    "services.permissions.actions._is_shown_photo": "who keeps the record, an umpire or whoever attached it shows a photo to the seats; who proposes is shown"
    " nothing, and who only reads never",
    "services.permissions.sights.stays_covered": "says that a stopped game is covered, and offers its scorekeeper to reveal it",
    "services.permissions.sights.nothing_covered": "only viewers of the values propose them: a refusal would reveal them",
    "web.request.correction_results.complete": "decisions are tried only while nothing is sealed, for who sees every hand: the same that their"
    " page lists",
    "services.disputes.forks.add_practice_moves": "while people play, practice players continue a line at random, and help no one",
    # --- a game outside its pages ---
    "services.store.read_models.build_game_row": "a row of the list tells whether the game lay open, for its totals",
    "services.store.read_models.games_without_hidden_parts": "an audit is told by a row that has heard of its step: a game that was reopened covers again",
    "web.site.home.game_line": "totals that players keep covered stay covered in the list until the game is open",
    "web.site.home.unlisted_row": "the same of a game that the list has not heard of",
    "services.files.receipts.unsigned_receipt": "a receipt has a spectator's standing until the game is open",
    "services.play.practice_tables.may_explain": "the reasoning of a practice player is shown when the game is open",
    "services.play.practice_tables._next_mover": "practice players decide only in a game that is not over",
    "services.play.practice_tables._is_over": "and close it when the rules say that it is over",
    "services.analysis.win_chances.analysis_state": "chances are of closed games, and gone when one is reopened",
    "web.replay.replay.chances_address": "the same on the replay",
    "web.request.sharing.preview_step": "a preview and the words of a Share button are a spectator's until the game is open",
    "web.request.sharing._offer_of_game": "the same of how a shared game ended",
    "services.play.redaction.veil_in_force": "totals that players keep covered stay so in a game that is given up",
    "web.replay.pictures.answer_with_board": "a drawing is kept by the sight it shows: one of an open game is no covered one's",
    "web.site.summary.summary_steps": "as seen from outside; how a game came out only where it is closed and nothing is covered",
    "web.disputes.compare._compare_with_game": "two games are compared through a sight that is open on either",
    "web.api.corrections.compare_games": "the same of the API",
    "web.club.table.objections_of_rules": "organisers read why the rules disagree with a game once it is open",
    # --- places that ask something else, and could open more ---
    "services.play.redaction.is_open": "a counted place is told if any other value there would be seen as well",
    "services.play.redaction.redact_as_played": "who made an illegal move knows it; others know what its effects show",
    "services.files.import_export._extend_record": "a file of guesses is not compared with what is sealed; with what is covered, for the scorekeeper alone",
    "services.files.leases.take_lease": "a device takes a whole record only while nothing is sealed",
    "services.permissions.club_roles.may_umpire": "an umpire sees every hand once named, which the record shows to everybody; who sits there is none",
    "services.statistics.collect.rows_of": "figures are of closed games, and go when one is reopened",
    "web.recording.live.readable_steps": "a stream sends the newest step and no board; the page requests the board",
    "web.replay.filmstrips.Filmstrips.newest_of": "drawn steps are kept by the sight they show, and by what is sealed",
}  # function -> why no viewer can make it show more
