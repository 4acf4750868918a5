"""An event-sourced game log and replay service for tabletop games."""
