# SPDX-License-Identifier: Apache-2.0
"""Compares the read of many small files by ``get_batch`` with the read of one file of the same bytes.

python bench/batch.py [--files 10000] [--bytes 8192] [--rounds 5] [--json]

It starts a master and a worker of this repository, writes and flushes the files, and restarts the worker before each
cold round, so that no page is cached. The kinds take turns; seconds are medians. GETs are the worker's own count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from packing_fs import PackingFileSystem
from tests import daemons
from tests.daemons import Cluster, command

METRICS_PORT_OPTION = "--metrics-port"


def gets(port: int) -> int:
    """Returns the GETs that the worker has sent to the store."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    counts = [line for line in lines if line.startswith("packing_store_requests_total{") and 'kind="get"' in line]
    return int(sum(float(line.rpartition(" ")[2]) for line in counts))


def timed(read: Callable[[], int], expected: int) -> float:
    """Returns the seconds of a read."""
    before = time.perf_counter()
    got = read()
    taken = time.perf_counter() - before
    assert got == expected, f"{got} bytes, want {expected}"
    return taken


def main() -> None:
    """Runs the comparison, and prints its figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--files", type=int, default=10_000)
    arguments.add_argument("--bytes", type=int, default=8_192)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    total = given.files * given.bytes
    daemons.java_options = os.environ.get("PACKING_JAVA_OPTS", "")
    with tempfile.TemporaryDirectory() as folder:
        port = random.randrange(40_000, 60_000)
        cluster = Cluster(Path(folder) / "cluster")
        try:
            cluster.make_mount()
            worker = cluster.add_worker(METRICS_PORT_OPTION, str(port))
            fs = PackingFileSystem(cluster.master.address)
            data = random.Random(1).randbytes(given.bytes)
            names = [f"/small/{number:06d}" for number in range(given.files)]
            fs.pipe({name: data for name in names})
            fs.pipe_file("/large", random.Random(2).randbytes(total))
            command("flush", f"{cluster.url}/")

            def small() -> int:
                return sum(len(found) for _, found in fs.iter_batch(names))

            shuffled = list(names)
            random.Random(3).shuffle(shuffled)

            def mixed() -> int:
                return sum(len(found) for _, found in fs.iter_batch(shuffled))

            def large() -> int:
                return len(fs.cat_file("/large"))

            times: dict[str, list[float]] = {}
            counts: dict[str, list[int]] = {}
            for _ in range(given.rounds):
                for kind, read in (("large", large), ("small", small), ("shuffled", mixed)):
                    worker.kill()
                    worker.start()
                    before = gets(port)
                    times.setdefault(f"cold_{kind}", []).append(timed(read, total))
                    counts.setdefault(kind, []).append(gets(port) - before)
                    for _ in range(2):
                        times.setdefault(f"warm_{kind}", []).append(timed(read, total))
        finally:
            cluster.close()
    seconds = {kind: round(statistics.median(each), 3) for kind, each in times.items()}
    result = {
        "files": given.files,
        "bytes": given.bytes,
        "rounds": given.rounds,
        "seconds": seconds,
        "runs": {kind: [round(one, 3) for one in each] for kind, each in times.items()},
        "cold_gets": counts,
        "cold_ratio": round(seconds["cold_small"] / seconds["cold_large"], 2),
        "warm_ratio": round(seconds["warm_small"] / seconds["warm_large"], 2),
        "shuffled_ratio": round(seconds["cold_shuffled"] / seconds["cold_large"], 2),
    }
    if given.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key}: {value}")


if __name__ == "__main__":
    main()
