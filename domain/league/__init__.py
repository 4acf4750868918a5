"""Leagues of a club: people and roles, seasons, schedules, results, tie-breaks, standings. Pure."""
