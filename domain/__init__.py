"""The games: pure rules and records, without clock, chance, I/O, web, SQL or queue."""
