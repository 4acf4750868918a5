"""Plays in and out, in the formats that other programs for players read and write."""
