# SPDX-License-Identifier: Apache-2.0
"""Random epochs over many small files."""

from __future__ import annotations

import pickle
import random
import socket
import urllib.request
from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from packing_fs import PackingFileSystem
from packing_fs.protocol import bdt_pb2
from packing_fs.samples import Samples
from packing_fs.shuffle import BlobShuffle, Piece
from packing_fs.training import ShuffledFiles, locate
from tests.daemons import Cluster, command
from tests.test_files import some_bytes


def files_in_blobs(counts: list[int], size: int = 1000) -> Samples:
    """Returns files that lie in blobs in another order than that of their paths."""
    total = sum(counts)
    order = list(range(total))
    random.Random(5).shuffle(order)
    groups = []
    for count in counts:
        groups.append(array("q", order[:count]))
        del order[:count]
    return Samples([f"/f/{number}" for number in range(total)], array("q", [size] * total), groups)


def epoch(shuffle: BlobShuffle, number: int) -> list[int]:
    shuffle.set_epoch(number)
    return list(shuffle)


def test_an_epoch_has_each_sample_once_in_an_order_by_seed_and_epoch() -> None:
    samples = files_in_blobs([700, 1, 300, 999])
    shuffle = BlobShuffle(samples, seed=3, blobs=2, buffer_bytes=100_000)
    first = epoch(shuffle, 0)
    assert sorted(first) == list(range(2000)) and len(shuffle) == 2000
    assert epoch(shuffle, 1) != first
    assert epoch(BlobShuffle(samples, seed=3, blobs=2, buffer_bytes=100_000), 0) == first
    assert epoch(BlobShuffle(samples, seed=4, blobs=2, buffer_bytes=100_000), 0) != first


def test_the_samples_of_a_batch_come_from_several_blobs() -> None:
    samples = files_in_blobs([1000] * 20)
    of = {sample: number for number, group in enumerate(samples.groups) for sample in group}
    drawn = epoch(BlobShuffle(samples, blobs=8, buffer_bytes=4_000_000), 0)
    batches = [{of[sample] for sample in drawn[at : at + 64]} for at in range(0, 20_000, 64)]
    assert sum(len(each) for each in batches[:200]) / 200 > 4


def test_a_blob_is_read_in_its_order_and_its_samples_are_drawn_behind_it() -> None:
    samples = files_in_blobs([5000, 5000, 5000], size=8192)
    read: dict[int, list[int]] = {0: [], 1: [], 2: []}
    held = most = 0
    for step in BlobShuffle(samples, blobs=2, buffer_bytes=10 << 20).steps():
        if isinstance(step, Piece):
            read[step.group] += step.samples
            held += len(step.samples)
        else:
            held -= 1
        most = max(most, held)
    assert [read[group] for group in range(3)] == [list(group) for group in samples.groups]
    assert most * 8192 < (10 << 20) + (4 << 20)


@pytest.mark.parametrize("world", [2, 3, 7])
def test_each_rank_has_its_share(world: int) -> None:
    samples = files_in_blobs([100, 250, 73])
    shares = [epoch(BlobShuffle(samples, seed=1, rank=rank, world=world), 2) for rank in range(world)]
    assert {len(share) for share in shares} == {len(BlobShuffle(samples, world=world))} == {-(-423 // world)}
    seen = Counter(sample for share in shares for sample in share)
    assert len(seen) == 423 and sum(seen.values()) - 423 < world
    # A boundary between ranks splits one blob: all others are read by one rank.
    of = {sample: number for number, group in enumerate(samples.groups) for sample in group}
    assert sum(len({of[sample] for sample in share}) for share in shares) < len(samples.groups) + world


def test_processes_of_a_rank_share_its_samples_and_more_ranks_than_samples_have_one_each() -> None:
    samples = files_in_blobs([10, 33])
    shuffle = BlobShuffle(samples, rank=1, world=2)
    drawn = [
        [piece.samples[place] for piece, place in (s for s in shuffle.steps(share, 3) if isinstance(s, tuple))]
        for share in range(3)
    ]
    assert sorted(sample for share in drawn for sample in share) == sorted(shuffle)
    few = files_in_blobs([2])
    assert [len(list(BlobShuffle(few, rank=rank, world=5))) for rank in range(5)] == [1] * 5
    assert list(BlobShuffle(files_in_blobs([]))) == []


@pytest.mark.parametrize("position", [0, 1, 499, 1000, 1998, 1999])
def test_an_iteration_goes_on_where_another_one_ended(position: int) -> None:
    samples = files_in_blobs([700, 300, 999])
    shuffle = BlobShuffle(samples, seed=3, blobs=2, buffer_bytes=100_000)
    whole = epoch(shuffle, 4)
    shuffle.set_epoch(4)
    begun = iter(shuffle)
    for _ in range(position):
        next(begun)
    state = pickle.loads(pickle.dumps(shuffle.state_dict()))
    other = BlobShuffle(samples, seed=3, blobs=2, buffer_bytes=100_000)
    other.load_state_dict(state)
    assert list(other) == whole[position:]
    assert list(other) == whole, "the next iteration begins anew"
    with pytest.raises(ValueError, match="another order"):
        BlobShuffle(samples, seed=4, blobs=2, buffer_bytes=100_000).load_state_dict(state)


def test_impossible_arguments_are_refused() -> None:
    samples = files_in_blobs([3])
    for wrong in ({"rank": 2, "world": 2}, {"rank": -1}, {"blobs": 0}, {"buffer_bytes": 0}):
        with pytest.raises(ValueError, match="want"):
            BlobShuffle(samples, **wrong)


# With servers

FILES = 3000
BLOB_BYTES = 8 << 20


@pytest.fixture(scope="module")
def small_blobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, int]]:
    """A cluster with small blobs, and the port of its worker's metrics."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    option = ("--option", f"packing.blob.max.bytes={BLOB_BYTES}", "--option", "packing.spill.bytes=512KB")
    cluster = Cluster(tmp_path_factory.mktemp("blobs"))
    try:
        cluster.make_mount()
        cluster.add_worker("--metrics-port", str(port), *option)
        fs = PackingFileSystem(cluster.master.address)
        fs.pipe({f"/train/{number % 10}/{number:05d}": some_bytes(number, 10_000) for number in range(FILES)})
        command("flush", f"{cluster.url}/")
        yield cluster, port
    finally:
        cluster.close()


def gets(port: int) -> int:
    """Returns the GETs that the worker has sent to the store."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    counts = [line for line in lines if line.startswith("packing_store_requests_total{") and 'kind="get"' in line]
    return int(sum(float(line.rpartition(" ")[2]) for line in counts))


def test_an_epoch_costs_one_request_for_each_blob(small_blobs: tuple[Cluster, int]) -> None:
    cluster, port = small_blobs
    fs = PackingFileSystem(cluster.master.address)
    files = locate(fs, "/train")
    assert len(files) == FILES and len(files.groups) >= FILES * 10_000 // BLOB_BYTES
    shuffled = ShuffledFiles(fs, files, lambda path, data: (int(path.rpartition("/")[2]), data), buffer_bytes=12 << 20)
    for number in range(2):
        shuffled.set_epoch(number)
        before = gets(port)
        order = []
        for sample, data in shuffled:
            assert data == some_bytes(sample, 10_000)
            order.append(sample)
        assert sorted(order) == list(range(FILES)) and order != sorted(order)
        # Pages of the epoch before may be in the worker's cache.
        assert gets(port) - before <= len(files.groups)


def test_bytes_of_deleted_files_cost_no_request(small_blobs: tuple[Cluster, int]) -> None:
    cluster, port = small_blobs
    fs = PackingFileSystem(cluster.master.address)
    fs.pipe({f"/holes/{number:05d}": some_bytes(number, 10_000) for number in range(1000)})
    command("flush", f"{cluster.url}/")
    written = locate(fs, "/holes")
    largest = max(written.groups, key=len)
    # More bytes than those of a batch that a client sends twice when its answer is lost.
    for sample in largest[100:350]:
        fs.rm(written.paths[sample])
    files = locate(fs, "/holes")
    assert len(files) == 750
    before = gets(port)
    assert sorted(path for path, _ in ShuffledFiles(fs, files)) == sorted(files.paths)
    assert gets(port) - before <= len(files.groups)


def test_files_are_read_from_the_place_of_a_state(small_blobs: tuple[Cluster, int]) -> None:
    cluster, _ = small_blobs
    fs = PackingFileSystem(cluster.master.address)
    files = locate(fs, "/train")
    shuffled = ShuffledFiles(fs, files, buffer_bytes=5 << 20, rank=1, world=2)
    shuffled.set_epoch(1)
    whole = [path for path, _ in shuffled]
    assert len(whole) == len(shuffled) == FILES // 2
    shuffled.set_epoch(1)
    first = [path for path, _ in islice(shuffled, 700)]
    other = ShuffledFiles(fs, files, buffer_bytes=5 << 20, rank=1, world=2)
    other.load_state_dict(shuffled.state_dict())
    rest = list(other)
    assert first + [path for path, _ in rest] == whole
    assert all(data == some_bytes(int(path.rpartition("/")[2]), 10_000) for path, data in rest)


def test_buffered_missing_and_large_files(fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    files = {f"{folder}/{number}": some_bytes(number, number * 700) for number in range(100)}
    files[f"{folder}/large"] = some_bytes(1, (1 << 20) + 1)
    fs.pipe(files)
    shuffled = ShuffledFiles(fs, folder)
    assert dict(shuffled) == files
    fs.rm(f"{folder}/50")
    with pytest.raises(FileNotFoundError, match="50"):
        list(shuffled)
    omits = ShuffledFiles(fs, shuffled.shuffle.samples, on_error="omit")
    del files[f"{folder}/50"]
    assert dict(omits) == files and omits.state_dict()["position"] == 101
    assert len(locate(fs, list(files))) == 100
    with pytest.raises(FileNotFoundError):
        locate(fs, [f"{folder}/50"])
    with pytest.raises(IsADirectoryError):
        locate(fs, [folder])
    with pytest.raises(FileNotFoundError):
        locate(fs, f"{folder}/none")
    with pytest.raises(ValueError, match="on_error"):
        ShuffledFiles(fs, folder, on_error="return")


def test_files_whose_places_are_withheld_are_in_the_order_of_their_creation(
    fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{folder}/{number:03d}" for number in random.Random(1).sample(range(40), 40)]
    for name in names:
        fs.pipe_file(name, b"x")
    located = fs.client.table.located

    def withheld(directory: str) -> Iterator[bdt_pb2.LocateReply]:
        for each in located(directory) or ():
            yield bdt_pb2.LocateReply(status=each.status, withheld=True)

    monkeypatch.setattr(fs.client.table, "located", withheld)
    files = locate(fs, folder)
    assert [files.paths[place] for place in files.groups[0]] == names
    assert sorted(path for path, _ in ShuffledFiles(fs, files)) == sorted(names)


def test_a_loader_of_pytorch_reads_by_processes(small_blobs: tuple[Cluster, int]) -> None:
    data: Any = pytest.importorskip("torch.utils.data", reason="torch is missing, as it has 800 MB: pip install torch")
    cluster, _ = small_blobs
    fs = PackingFileSystem(cluster.master.address)
    for processes in (0, 2):
        shuffled = ShuffledFiles(fs, "/train")
        loader = data.DataLoader(shuffled, batch_size=100, num_workers=processes, collate_fn=list)
        assert isinstance(shuffled, data.IterableDataset)
        assert sorted(int(path.rpartition("/")[2]) for batch in loader for path, _ in batch) == list(range(FILES))
    places = list(data.DataLoader(range(FILES), sampler=BlobShuffle(shuffled.shuffle.samples), batch_size=None))
    assert sorted(places) == list(range(FILES))
