# SPDX-License-Identifier: Apache-2.0
"""Compares the hits of packing's cache policies with libCacheSim's; bin/test-libcachesim runs it."""

import json
import random
import struct
import sys

RECORD = struct.Struct("<IQIq")  # seconds, object, bytes, number of its next request or -1

# Why hits differ. docs/simulator.md says how each reason was shown to be the whole difference.
REASONS = {
    "arc": "their target is a fraction, ours moves by whole blocks",
    "s3-fifo": "theirs fills the main queue until the cache was full once, and looks for names first",
    "hyperbolic": "both draw 64 objects at random, with other numbers",
    "lecar": "both draw at random; theirs keeps as many names as objects for both policies together, the paper as many for each",
    "lhd": "both draw at random; theirs computes no densities before 1,048,576 requests, ours after each 16,384",
    "lirs": "the paper leaves the number of names open, and the warm-up; ours are Caffeine's",
}


def generate(path):
    """Writes 100,000 requests: Zipf-like, and a fifth for objects of their own; equal in each run."""
    numbers = random.Random(1)
    objects = []
    for turn in range(100_000):
        own = numbers.random() < 0.2
        objects.append(10_000_000 + turn if own else int(10_000 ** numbers.random()))
    following = {}
    records = []
    for turn in range(len(objects) - 1, -1, -1):
        records.append(RECORD.pack(turn // 100, objects[turn], 4096, following.get(objects[turn], -1)))
        following[objects[turn]] = turn
    with open(path, "wb") as file:
        file.writelines(reversed(records))


def theirs(trace, policy, size):
    """Returns requests and hits of libCacheSim, all objects of one size; None if it has no such policy."""
    import libcachesim

    names = {
        "lru": "LRU",
        "sieve": "Sieve",
        "s3-fifo": "S3FIFO",
        "arc": "ARC",
        "2q": "TwoQ",
        "lirs": "LIRS",
        "belady": "Belady",
        "gdsf": "GDSF",
        "hyperbolic": "Hyperbolic",
        "lecar": "LeCaR",
        "lhd": "LHD",
    }
    if policy not in names:
        return None
    options = libcachesim.ReaderInitParam(ignore_obj_size=True)
    reader = libcachesim.TraceReader(trace, libcachesim.TraceType.ORACLE_GENERAL_TRACE, options)
    cache = getattr(libcachesim, names[policy])(size)
    requests = hits = 0
    for request in reader:
        requests += 1
        hits += cache.get(request)
    return requests, hits


def compare(trace, ours):
    """Prints a row for each policy and size; returns the number of differences without a reason."""
    with open(ours, encoding="utf-8") as file:
        points = json.load(file)[0]["points"]
    unknown = 0
    print("| policy | objects | ours | theirs | difference |\n|---|---|---|---|---|")
    for point in points:
        policy, size = point["point"]["policy"], int(point["point"]["size"])
        found = theirs(trace, policy, size)
        if found is None:
            continue
        metrics = point["metrics"]
        same = int(metrics["hits"]) == found[1] and int(metrics["requests"]) == found[0]
        why = "" if same else REASONS.get(policy, "UNKNOWN")
        unknown += why == "UNKNOWN"
        print(f"| {policy} | {size:,} | {int(metrics['hits']):,} | {found[1]:,} | {why} |")
    return unknown


if __name__ == "__main__":
    if sys.argv[1] == "generate":
        generate(sys.argv[2])
    else:
        sys.exit(1 if compare(sys.argv[2], sys.argv[3]) else 0)
