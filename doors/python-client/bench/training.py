# SPDX-License-Identifier: Apache-2.0
"""Compares random epochs over files of a mount with those over WebDataset's shards of the same bytes and store.

python bench/training.py [--files 50000] [--bytes 8192] [--rounds 8] [--warm-up 3] [--blob-mb 64] [--json]

It starts an S3 server of the laboratory, which writes its requests down, and a master and a worker of this repository
as they ship. Shards are as large as blobs. The kinds take turns in each round, the worker's cache has 64 MB, and both
yield bytes, one sample after the other, in one process. Rounds of the warm-up are printed, and do not count: the
compilers of three JVMs work then. GETs are those of blobs and of shards; a master's requests for its lease are no
part of an epoch. Needs webdataset, boto3 and curl, and ``bin/lab --help`` once, which builds the server.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import boto3
import webdataset
from botocore.config import Config

from packing_fs import PackingFileSystem
from packing_fs.training import ShuffledFiles, locate
from tests import daemons
from tests.daemons import ROOT, Cluster, command

SHUFFLED = 5_000
LIBRARIES = ROOT / "lab/experiments/target"


class Store:
    """The laboratory's S3 server as a process."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._log = folder.with_suffix(".log")
        self._process = subprocess.Popen(
            [
                *("java", "-Xmx512m", "-XX:+UseSerialGC"),
                *("-cp", f"{LIBRARIES}/classes:{LIBRARIES}/lib/*", "io.packing.s3server.S3ServerMain"),
                *("--directory", str(folder), "--bucket", "bucket", "--access-log", str(self._log)),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = next((each for each in self._process.stdout if each.startswith("endpoint=")), "")
        assert line, "the S3 server does not start: run bin/lab --help, which builds it"
        self.endpoint = line.partition("=")[2].strip()

    def gets(self, prefix: str) -> int:
        """Returns the GETs of objects below a prefix that have ended."""
        # The server writes a request down at its end, a moment after its last byte.
        time.sleep(0.2)
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return sum(f" REST.GET.OBJECT {prefix}/" in line for line in lines)

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()


def shards(client: Any, names: list[str], contents: list[bytes], most: int) -> list[str]:
    """Puts shards of at most so many bytes into the store, and returns their URLs."""
    urls: list[str] = []
    count = max(1, most // (len(contents[0]) + 1024))
    for at in range(0, len(names), count):
        written = io.BytesIO()
        with tarfile.open(fileobj=written, mode="w") as tar:
            for name, data in zip(names[at : at + count], contents[at : at + count], strict=True):
                entry = tarfile.TarInfo(name.rpartition("/")[2] + ".bin")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
        where = {"Bucket": "bucket", "Key": f"shards/{len(urls):05d}.tar"}
        client.put_object(**where, Body=written.getvalue())
        urls.append(client.generate_presigned_url("get_object", Params=where, ExpiresIn=86_400))
    return urls


def timed(samples: Iterable[bytes], files: int, size: int) -> float:
    """Returns the images in a second of an epoch."""
    before = time.perf_counter()
    count = total = 0
    for data in samples:
        count += 1
        total += len(data)
    taken = time.perf_counter() - before
    assert (count, total) == (files, files * size), f"{count} samples of {total} bytes"
    return files / taken


def main() -> None:
    """Runs the comparison, and prints its figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--files", type=int, default=50_000)
    arguments.add_argument("--bytes", type=int, default=8_192)
    arguments.add_argument("--rounds", type=int, default=8)
    arguments.add_argument("--warm-up", type=int, default=3)
    arguments.add_argument("--blob-mb", type=int, default=64)
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    daemons.java_options = os.environ.get("PACKING_JAVA_OPTS", "")
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "s3")
        # Servers and commands have them; a command line is no place for keys.
        os.environ.update(PACKING_S3_ACCESS_KEY="access", PACKING_S3_SECRET_KEY="secret")
        words = ["--option", f"packing.s3.endpoint={store.endpoint}"]
        allowed = ["--store", f"s3://bucket/mount@{store.endpoint}"]
        cluster = Cluster(Path(folder) / "cluster", allowed, words, store="s3://bucket/mount")
        try:
            cluster.make_mount()
            # Of an epoch's pages few are left for the next one.
            of_worker = {"blob.max.bytes": f"{given.blob_mb}MB", "spill.bytes": "4MB", "read.cache.bytes": "64MB"}
            cluster.add_worker(*(w for k, v in of_worker.items() for w in ("--option", f"packing.{k}={v}")))
            fs = PackingFileSystem(cluster.master.address)
            draws = random.Random(1)
            names = [f"/train/{number:07d}" for number in range(given.files)]
            contents = [draws.randbytes(given.bytes) for _ in names]
            for at in range(0, given.files, 10_000):
                fs.pipe(dict(zip(names[at : at + 10_000], contents[at : at + 10_000], strict=True)))
            command("flush", f"{cluster.url}/")
            client = boto3.client(
                "s3",
                endpoint_url=store.endpoint,
                aws_access_key_id="access",
                aws_secret_access_key="secret",
                region_name="us-east-1",
                config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
            )
            urls = shards(client, names, contents, given.blob_mb << 20)
            del contents
            before = time.perf_counter()
            files = locate(fs, "/train")
            located = time.perf_counter() - before
            rates: dict[str, list[float]] = {"shards": [], "packing": []}
            counts: dict[str, list[int]] = {"shards": [], "packing": []}
            for number in range(given.warm_up + given.rounds):
                gets = store.gets("shards")
                tars = webdataset.WebDataset(urls, shardshuffle=len(urls), seed=number, empty_check=False)
                epoch = tars.shuffle(SHUFFLED).to_tuple("bin")
                rates["shards"].append(timed((data for (data,) in epoch), given.files, given.bytes))
                counts["shards"].append(store.gets("shards") - gets)
                gets = store.gets("mount/blobs")
                shuffled = ShuffledFiles(fs, files, buffer_bytes=SHUFFLED * given.bytes)
                shuffled.set_epoch(number)
                rates["packing"].append(timed((data for _, data in shuffled), given.files, given.bytes))
                counts["packing"].append(store.gets("mount/blobs") - gets)
        finally:
            cluster.close()
            store.close()
    medians = {kind: statistics.median(each[given.warm_up :]) for kind, each in rates.items()}
    pairs = zip(rates["packing"][given.warm_up :], rates["shards"][given.warm_up :], strict=True)
    ratios = sorted(round(packing / shards, 2) for packing, shards in pairs)
    epochs = given.warm_up + given.rounds
    result = {
        "files": given.files,
        "bytes": given.bytes,
        "blob_mb": given.blob_mb,
        "blobs": len(files.groups),
        "shards": len(urls),
        "locate_seconds": round(located, 2),
        "images_per_second": {kind: round(each) for kind, each in medians.items()},
        "runs": {kind: [round(one) for one in each] for kind, each in rates.items()},
        "warm_up": given.warm_up,
        "gets": counts,
        "gets_per_blob_and_epoch": round(sum(counts["packing"]) / (len(files.groups) * epochs), 3),
        "ratio": statistics.median(ratios),
        "ratios": ratios,
    }
    if given.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key}: {value}")


if __name__ == "__main__":
    main()
