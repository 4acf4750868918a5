"""What a game is. Pure: no clock, no chance, no I/O, no web, no SQL, no queue."""
