"""Turn every Python process with this folder in PYTHONPATH into a later version of Daybook: its kept tables are one
step newer, and its read models have the next number."""

from __future__ import annotations

import sqlalchemy as sa

from daybook.services.store import kept, kept_steps, read_models


def spoken_names(connection: sa.Connection) -> None:
    """A column that may be empty: parts of today go on."""
    connection.exec_driver_sql("ALTER TABLE kept_person ADD COLUMN spoken TEXT")


kept.kept_person.append_column(sa.Column("spoken", sa.Text))
kept_steps.GO_ON_FROM = {**kept_steps.GO_ON_FROM, spoken_names: len(kept_steps.STEPS)}
kept_steps.STEPS = (*kept_steps.STEPS, spoken_names)
read_models.SCHEMA += 1
