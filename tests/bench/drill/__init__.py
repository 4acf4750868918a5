"""Drills: a real service suffers faults while people record, and tables show the effect: `python -m tests.bench.drill`.

python -m tests.bench.drill upgrade
python -m tests.bench.drill failover --times 3 --how kill freeze cut
python -m tests.bench.drill queue --times 10
"""
