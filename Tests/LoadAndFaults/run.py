"""Runs all checks and prints the table. See ../load-and-faults.sh."""

import argparse
import pathlib
import random
import resource
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# At the end: some files here have the names of scenarios.
sys.path.append(str(HERE.parent / "BridgeTests" / "scenarios"))

import broken_files  # noqa: E402
import children  # noqa: E402
import clocks  # noqa: E402
import cut_clients  # noqa: E402
import disks  # noqa: E402
import long_day  # noqa: E402
import names  # noqa: E402
import shortages  # noqa: E402
import slow_readers  # noqa: E402
import socket_paths  # noqa: E402
import termination  # noqa: E402
import thousand_clients  # noqa: E402
from table import Table  # noqa: E402

MODULES = (thousand_clients, termination, long_day, slow_readers, cut_clients, disks, shortages,
           clocks, socket_paths, names, children, broken_files)
# A thousand sockets, and some.
DESCRIPTORS = 2600


class Run:
    """What a check needs to know: how much to do, and dice."""

    def __init__(self, table, is_quick, dice):
        self.table = table
        self.is_quick = is_quick
        self.dice = dice

    def size(self, quick, full):
        return quick if self.is_quick else full


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    checks = [(check.__name__, check) for module in MODULES for check in module.CHECKS]
    if options.only:
        checks = [item for item in checks if item[0].startswith(tuple(options.only))]
    if options.list or not checks:
        print("\n".join(name for name, _ in checks) or "no check has such a name")
        return 0 if options.list else 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < DESCRIPTORS:
        print(f"{DESCRIPTORS} descriptors are needed, and {hard} allowed", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, DESCRIPTORS), hard))
    # Whoever was started in the background ignores these, and so would all that is started here.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    print(f"seed {options.seed}{', quick' if options.quick else ''}", flush=True)
    table = Table()
    table.begin()
    times = []
    for name, check in checks:
        begin = time.monotonic()
        # Dice of its own, so that a check alone repeats what it did among the others.
        check(Run(table, options.quick, random.Random(f"{options.seed} {name}")))
        times.append((time.monotonic() - begin, name))
    passed = sum(row.verdict == "pass" for row in table.rows)
    skipped = sum(row.verdict == "not tried" for row in table.rows)
    print(f"\n{passed} passed, {len(table.rows) - passed - skipped} missed, {skipped} not tried, "
          f"{sum(seconds for seconds, _ in times):.0f} s; the longest: "
          + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(times)[:-4:-1]))
    for name, miss in table.misses:
        print(f"MISS {name}: {miss}")
    return 1 if table.misses else 0


if __name__ == "__main__":
    sys.exit(main())
