"""What a service goes through while people record, done to real servers and told in tables: `python -m tests.bench.drill`.

python -m tests.bench.drill upgrade
python -m tests.bench.drill failover --times 3 --how kill freeze cut
python -m tests.bench.drill queue --times 10
"""
