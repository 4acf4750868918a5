"""What a club's leagues are: people and roles, seasons, schedules, results, tie-breaks, standings. Pure."""
