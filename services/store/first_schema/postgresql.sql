CREATE TABLE kept_account (
    person TEXT NOT NULL,
    sign_in TEXT,
    password TEXT,
    address TEXT NOT NULL,
    made_at TEXT NOT NULL,
    password_at TEXT,
    club UUID,
    by_link TEXT,
    PRIMARY KEY (person),
    UNIQUE (sign_in)
);
CREATE TABLE kept_anonymous (
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (person)
);
CREATE TABLE kept_apart (
    id SERIAL NOT NULL,
    game UUID NOT NULL,
    other UUID NOT NULL,
    by TEXT NOT NULL,
    why TEXT NOT NULL,
    at TEXT NOT NULL,
    back_by TEXT,
    back_at TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_apart_game ON kept_apart (game);
CREATE INDEX ix_kept_apart_other ON kept_apart (other);
CREATE TABLE kept_appeal (
    game UUID NOT NULL,
    hours INTEGER NOT NULL,
    PRIMARY KEY (game)
);
CREATE TABLE kept_attempt (
    about TEXT NOT NULL,
    failures INTEGER NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (about)
);
CREATE TABLE kept_brought (
    game UUID NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    at TEXT NOT NULL,
    awaited_seal TEXT,
    PRIMARY KEY (game, first, last)
);
CREATE TABLE kept_calendar (
    person TEXT NOT NULL,
    key TEXT NOT NULL,
    made_at TEXT NOT NULL,
    seen_at TEXT,
    PRIMARY KEY (person),
    UNIQUE (key)
);
CREATE TABLE kept_chances (
    game UUID NOT NULL,
    step INTEGER NOT NULL,
    seal TEXT NOT NULL,
    made_by TEXT NOT NULL,
    pieces TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (game)
);
CREATE TABLE kept_change (
    id SERIAL NOT NULL,
    at TEXT NOT NULL,
    person TEXT NOT NULL,
    by TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_change_person ON kept_change (person);
CREATE TABLE kept_clock_step (
    noted_at TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (noted_at)
);
CREATE TABLE kept_club_link (
    club UUID NOT NULL,
    id TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (club),
    UNIQUE (id)
);
CREATE TABLE kept_disagreement (
    game UUID NOT NULL,
    step INTEGER NOT NULL,
    seal TEXT NOT NULL,
    finding TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (game, step)
);
CREATE TABLE kept_earlier_name (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (person, name)
);
CREATE TABLE kept_forgotten (
    digest TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (digest)
);
CREATE TABLE kept_fork (
    id TEXT NOT NULL,
    game UUID NOT NULL,
    at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    moves TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_fork_game ON kept_fork (game);
CREATE INDEX ix_kept_fork_owner ON kept_fork (owner);
CREATE TABLE kept_game (
    id UUID NOT NULL,
    title TEXT NOT NULL,
    public BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    sharing TEXT,
    replaced_by UUID,
    PRIMARY KEY (id)
);
CREATE TABLE kept_grant (
    id TEXT NOT NULL,
    game UUID NOT NULL,
    role TEXT NOT NULL,
    seat INTEGER,
    created_at TEXT NOT NULL,
    revoked_at TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_grant_game ON kept_grant (game);
CREATE TABLE kept_history (
    "only" INTEGER NOT NULL,
    history TEXT NOT NULL,
    log_position BIGINT NOT NULL,
    notes BIGINT NOT NULL,
    clock TEXT NOT NULL,
    PRIMARY KEY ("only")
);
CREATE TABLE kept_import (
    game UUID NOT NULL,
    importer TEXT NOT NULL,
    due_on TEXT NOT NULL,
    PRIMARY KEY (game)
);
CREATE INDEX ix_kept_import_importer ON kept_import (importer, due_on);
CREATE TABLE kept_invitation (
    id TEXT NOT NULL,
    club UUID,
    person TEXT,
    roles TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    used_at TEXT,
    used_by TEXT,
    revoked_at TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_invitation_club ON kept_invitation (club);
CREATE INDEX ix_kept_invitation_person ON kept_invitation (person);
CREATE TABLE kept_join_request (
    club UUID NOT NULL,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    refused_at TEXT,
    PRIMARY KEY (club, person)
);
CREATE TABLE kept_key (
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    made_at TEXT NOT NULL,
    seen_at TEXT,
    ends_at TEXT NOT NULL,
    scope TEXT NOT NULL,
    made_with TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_key_person ON kept_key (person);
CREATE TABLE kept_lease (
    game UUID NOT NULL,
    step INTEGER NOT NULL,
    key TEXT NOT NULL,
    person TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    ended_at TEXT,
    draw_seed TEXT NOT NULL,
    PRIMARY KEY (game)
);
CREATE TABLE kept_link_consent (
    person TEXT NOT NULL,
    club UUID NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (person, club)
);
CREATE TABLE kept_link_sign_in (
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    number INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    device TEXT NOT NULL,
    at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    sign_in TEXT,
    password TEXT,
    password_at TEXT,
    by_link TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_link_sign_in_person ON kept_link_sign_in (person);
CREATE INDEX ix_kept_link_sign_in_sign_in ON kept_link_sign_in (sign_in);
CREATE TABLE kept_look (
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    look TEXT NOT NULL,
    PRIMARY KEY (person)
);
CREATE INDEX ix_kept_look_look ON kept_look (look);
CREATE TABLE kept_mail (
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    digest TEXT NOT NULL,
    language TEXT NOT NULL,
    made_at TEXT NOT NULL,
    verified_at TEXT,
    signs_in BOOLEAN NOT NULL,
    off_why TEXT,
    PRIMARY KEY (person),
    UNIQUE (id)
);
CREATE INDEX ix_kept_mail_digest ON kept_mail (digest);
CREATE TABLE kept_mail_refusal (
    digest TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (digest)
);
CREATE TABLE kept_merged_account (
    gone TEXT NOT NULL,
    kept TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (gone)
);
CREATE INDEX ix_kept_merged_account_kept ON kept_merged_account (kept);
CREATE TABLE kept_message (
    id TEXT NOT NULL,
    club UUID,
    step INTEGER NOT NULL,
    occasion TEXT NOT NULL,
    subject TEXT NOT NULL,
    method TEXT NOT NULL,
    person TEXT NOT NULL,
    target TEXT NOT NULL,
    address BYTEA,
    at TEXT NOT NULL,
    due TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    answer TEXT,
    sent_at TEXT,
    receiver_id TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_message_club ON kept_message (club);
CREATE INDEX ix_kept_message_due ON kept_message (due);
CREATE INDEX ix_kept_message_person ON kept_message (person);
CREATE INDEX ix_kept_message_state ON kept_message (state);
CREATE TABLE kept_message_choice (
    person TEXT NOT NULL,
    method TEXT NOT NULL,
    occasions TEXT NOT NULL,
    PRIMARY KEY (person, method)
);
CREATE TABLE kept_operator (
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (person)
);
CREATE TABLE kept_operator_action (
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_operator_action_at ON kept_operator_action (at);
CREATE TABLE kept_operator_link (
    digest TEXT NOT NULL,
    until TEXT NOT NULL,
    session TEXT,
    PRIMARY KEY (digest)
);
CREATE TABLE kept_outbox (
    "only" INTEGER NOT NULL,
    position BIGINT NOT NULL,
    instance TEXT NOT NULL,
    PRIMARY KEY ("only")
);
CREATE TABLE kept_person (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE kept_photo (
    game UUID NOT NULL,
    hash TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    key BYTEA NOT NULL,
    kept_at TEXT NOT NULL,
    PRIMARY KEY (game, hash)
);
CREATE TABLE kept_photo_bytes (
    id TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE kept_portrait (
    person TEXT NOT NULL,
    hash TEXT NOT NULL,
    key BYTEA NOT NULL,
    kept_at TEXT NOT NULL,
    PRIMARY KEY (person)
);
CREATE TABLE kept_practice (
    game UUID NOT NULL,
    client TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (game)
);
CREATE TABLE kept_push (
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    session TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    host TEXT NOT NULL,
    device TEXT NOT NULL,
    language TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_push_person ON kept_push (person);
CREATE TABLE kept_receipt_key (
    public TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT,
    PRIMARY KEY (public)
);
CREATE TABLE kept_report (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    page TEXT NOT NULL,
    why TEXT NOT NULL,
    at TEXT NOT NULL,
    outcome TEXT,
    answer TEXT,
    answered_at TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_report_at ON kept_report (at);
CREATE TABLE kept_seat (
    game UUID NOT NULL,
    seat INTEGER NOT NULL,
    person TEXT NOT NULL,
    name TEXT,
    PRIMARY KEY (game, seat)
);
CREATE INDEX ix_kept_seat_name ON kept_seat (name);
CREATE INDEX ix_kept_seat_person ON kept_seat (person);
CREATE TABLE kept_secret (
    mark TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (mark)
);
CREATE TABLE kept_session (
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    device TEXT NOT NULL,
    made_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    by_link TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX ix_kept_session_person ON kept_session (person);
CREATE TABLE kept_stored (
    day TEXT NOT NULL,
    client TEXT NOT NULL,
    kind TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (day, client, kind)
);
CREATE TABLE kept_stranger_file (
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    game UUID,
    bytes BIGINT NOT NULL,
    client TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (kind, about)
);
CREATE INDEX ix_kept_stranger_file_at ON kept_stranger_file (at);
CREATE INDEX ix_kept_stranger_file_game ON kept_stranger_file (game);
CREATE TABLE kept_version (
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (number)
);
CREATE TABLE kept_webhook (
    club UUID NOT NULL,
    kind TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    host TEXT NOT NULL,
    language TEXT NOT NULL,
    occasions TEXT NOT NULL,
    made_at TEXT NOT NULL,
    failing_since TEXT,
    off_why TEXT,
    PRIMARY KEY (club)
);
CREATE TABLE kept_withheld (
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    why TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    public BOOLEAN NOT NULL,
    back_why TEXT,
    back_at TEXT,
    PRIMARY KEY (kind, about)
);
CREATE TABLE kept_without_chances (
    id UUID NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE kept_sheet (
    hash TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    name TEXT NOT NULL,
    overrides TEXT NOT NULL,
    numbers TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    unlisted TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (hash)
);
CREATE INDEX ix_kept_sheet_ruleset ON kept_sheet (ruleset);
CREATE FUNCTION letter_pairs(said TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT DISTINCT substr(lower(said), place, 2) FROM generate_series(1, length(lower(said)) - 1) place) $$;
CREATE INDEX ix_kept_game_title_pairs ON kept_game USING gin (letter_pairs(title)) WITH (fastupdate = off);
CREATE INDEX ix_kept_person_name_pairs ON kept_person USING gin (letter_pairs(name)) WITH (fastupdate = off);
CREATE INDEX ix_kept_seat_name_pairs ON kept_seat USING gin (letter_pairs(name)) WITH (fastupdate = off)
    WHERE name IS NOT NULL
