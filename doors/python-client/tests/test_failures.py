# SPDX-License-Identifier: Apache-2.0
"""Servers that are killed, stopped or full, while a client works."""

from __future__ import annotations

import errno
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from packing_fs import PackingFileSystem, UnavailableError
from tests.daemons import Cluster, command
from tests.test_files import some_bytes

MB = 1 << 20


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of this test alone, whose servers it may harm."""
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.make_mount()
        yield cluster
    finally:
        cluster.close()


def client(cluster: Cluster, **options: object) -> PackingFileSystem:
    """Returns a client of its own connections."""
    return PackingFileSystem(cluster.master.address, skip_instance_cache=True, **options)  # type: ignore[arg-type]


def test_a_killed_worker_costs_no_file_that_was_closed(fragile: Cluster) -> None:
    worker = fragile.add_worker("--option", "packing.seal.quiet=0s", "--option", "packing.seal.after=1h")
    fs = client(fragile, worker_timeout="90s")
    files = {f"/d/{number}": some_bytes(number, 10_000) for number in range(300)}
    fs.pipe(files)
    opened = fs.open("/d/7", block_size=1000)
    assert opened.read(10) == files["/d/7"][:10]
    worker.kill()
    threading.Timer(1.0, worker.start).start()
    # The bytes are on the disk of a worker that is restarting.
    assert fs.cat_file("/d/5") == files["/d/5"]
    assert opened.read() == files["/d/7"][10:]
    assert fs.get_batch(list(files)) == files
    fs.pipe_file("/d/after", b"written")
    assert fs.cat_file("/d/after") == b"written"


def test_writes_go_on_at_another_worker_when_one_is_killed(fragile: Cluster) -> None:
    workers = [fragile.add_worker(), fragile.add_worker()]
    fs = client(fragile, worker_timeout="60s")
    fs.pipe_file("/first", b"x")
    command("flush", f"{fragile.url}/")
    used = next(worker for worker in workers if worker.address == fs.client.workers._current)
    large = fs.open("/large", "wb")
    large.write(bytes(5 * MB))
    used.kill()
    fs.pipe({f"/many/{number}": b"%d" % number for number in range(500)})
    assert len(fs.ls("/many")) == 500
    assert fs.cat_file("/first") == b"x"
    # A large file has no copy here: its writer hears that it is not stored.
    with pytest.raises(UnavailableError):
        large.write(bytes(20 * MB))
        large.close()
    assert not fs.exists("/large")
    fs.pipe_file("/large", bytes(20 * MB))
    assert fs.size("/large") == 20 * MB


def test_a_killed_master_is_waited_for(fragile: Cluster) -> None:
    fragile.add_worker()
    fs = client(fragile, master_timeout="90s", worker_timeout="90s")
    fs.pipe({f"/d/{number}": b"%d" % number for number in range(100)})
    fragile.master.kill()
    threading.Timer(1.0, fragile.master.start).start()
    assert fs.cat_file("/d/5") == b"5"
    fragile.master.kill()
    threading.Timer(1.0, fragile.master.start).start()
    fs.mv("/d/5", "/d/moved")
    assert fs.cat_file("/d/moved") == b"5" and len(fs.ls("/d")) == 100
    fs.pipe_file("/d/new", b"x")
    assert fs.cat_file("/d/new") == b"x"


def test_nothing_hangs_when_all_servers_are_gone(fragile: Cluster) -> None:
    worker = fragile.add_worker()
    fs = client(fragile, master_timeout="2s", worker_timeout="2s", read_peer_timeout="2s")
    fs.pipe_file("/f", bytes(100))
    file = fs.open("/f", block_size=10)
    assert file.read(10) == bytes(10)
    before = time.monotonic()
    worker.kill()
    with pytest.raises(UnavailableError, match="Start the worker again|no live worker|refused|answer"):
        file.read()
    with pytest.raises(UnavailableError):
        fs.pipe_file("/g", b"x")
    with pytest.raises(UnavailableError):
        fs.pipe_file("/g", bytes(9 * MB))
    fragile.master.kill()
    for attempt in (fs.info, fs.ls, fs.exists, fs.cat_file, fs.rm, fs.mkdir):
        with pytest.raises(UnavailableError, match="BDT master"):
            attempt("/f")
    assert time.monotonic() - before < 120


def test_a_silent_worker_is_left(fragile: Cluster) -> None:
    workers = [fragile.add_worker(), fragile.add_worker()]
    fs = client(fragile, worker_timeout="60s", read_peer_timeout="2s")
    fs.pipe_file("/f", b"x")
    command("flush", f"{fragile.url}/")
    silent = next(worker for worker in workers if worker.address == fs.client.workers._current)
    silent.signal(signal.SIGSTOP)
    try:
        before = time.monotonic()
        assert fs.cat_file("/f") == b"x"
        fs.pipe_file("/g", b"y")
        assert fs.cat_file("/g") == b"y"
        assert time.monotonic() - before < 120
    finally:
        silent.signal(signal.SIGCONT)


def test_a_leaving_worker_hands_its_writers_on(fragile: Cluster) -> None:
    fragile.add_worker()
    fragile.add_worker()
    fs = client(fragile, worker_timeout="60s")
    fs.pipe_file("/first", b"x")
    used = fs.client.workers._current
    name = "w1" if used == fragile.workers[0].address else "w2"
    drain = threading.Thread(target=command, args=("drain", f"{fragile.url}/", name))
    drain.start()
    rounds = 0
    while drain.is_alive() or rounds == 0:
        fs.pipe({f"/{rounds}/{number}": b"x" * 1000 for number in range(20)})
        fs.pipe_file(f"/{rounds}/large", bytes(9 * MB))
        rounds += 1
    fs.pipe_file("/last", b"x")
    assert fs.client.workers._current != used
    assert len(fs.find("/")) == 2 + 21 * rounds
    assert all(fs.size(f"/{number}/large") == 9 * MB for number in range(rounds))


def test_a_quota_is_an_error_of_its_own(fragile: Cluster) -> None:
    fragile.add_worker()
    fs = client(fragile)
    fs.mkdir("/limited")
    command("quota", "set", f"{fragile.url}/limited", "--names", "3")
    fs.touch("/limited/1")
    fs.touch("/limited/2")
    for attempt in (fs.touch, fs.mkdir):
        with pytest.raises(OSError) as full:
            attempt("/limited/3")
        assert full.value.errno == errno.EDQUOT
