from __future__ import annotations

import argparse

from tests.bench import drill
from tests.bench.drill import failover, proxy, queue, silent, upgrade

KINDS = {"failover": failover, "proxy": proxy, "queue": queue, "silent": silent, "upgrade": upgrade}


def main() -> None:
    parser = argparse.ArgumentParser(description=drill.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for name, kind in KINDS.items():
        kind.add_arguments(kinds.add_parser(name, description=kind.__doc__))
    asked = parser.parse_args()
    KINDS[asked.kind].run(asked)


if __name__ == "__main__":
    main()
