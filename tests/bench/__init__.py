"""Benchmarks of Daybook on this machine: `make bench`. Compare figures only within one run."""
