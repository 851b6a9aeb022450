# SPDX-License-Identifier: Apache-2.0
"""Reads, writes and listings of files."""

from __future__ import annotations

import errno
import multiprocessing
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import fsspec
import pytest

from packing_fs import PackingFileSystem
from packing_fs.options import MOST_SPILL_BYTES
from packing_fs.vectors import AttributeChange
from tests.daemons import Cluster, command

MB = 1 << 20
SIZES = [0, 1, 8192, MOST_SPILL_BYTES - 1, MOST_SPILL_BYTES, MOST_SPILL_BYTES + 1, 13 * MB + 7]


def some_bytes(seed: int, size: int) -> bytes:
    """Returns bytes that are equal for equal seeds."""
    return random.Random(seed).randbytes(size)


def test_a_url_opens_a_file(cluster: Cluster, folder: str) -> None:
    url = f"{cluster.url}{folder}/f"
    with fsspec.open(url, "wb") as file:
        file.write(b"hello")
    with fsspec.open(url, "rt") as file:
        assert file.read() == "hello"


@pytest.mark.parametrize("size", SIZES)
def test_bytes_come_back_from_buffers_and_from_blobs(
    cluster: Cluster, fs: PackingFileSystem, folder: str, size: int
) -> None:
    data = some_bytes(size, size)
    with fs.open(f"{folder}/opened", "wb") as file:
        for start in range(0, size, 3 * MB + 1):
            file.write(data[start : start + 3 * MB + 1])
    fs.pipe_file(f"{folder}/piped", data)
    for _ in range(2):
        for name in ("opened", "piped"):
            assert fs.size(f"{folder}/{name}") == size
            assert fs.cat_file(f"{folder}/{name}") == data
        command("flush", f"{cluster.url}/")


def test_ranges_are_those_of_python_slices(cluster: Cluster, fs: PackingFileSystem, folder: str) -> None:
    data = some_bytes(1, 9 * MB)
    fs.pipe_file(f"{folder}/f", data)
    command("flush", f"{cluster.url}/")
    ranges = [(0, 10), (5, 5), (4 * MB - 1, 4 * MB + 1), (-10, None), (None, -9 * MB + 3), (9 * MB, 9 * MB + 5), (7, 3)]
    for start, end in [*ranges, (None, None), (3 * MB, 9 * MB)]:
        assert fs.cat_file(f"{folder}/f", start, end) == data[start:end], (start, end)
    found = fs.cat_ranges([f"{folder}/f", f"{folder}/none", f"{folder}/f"], [0, 0, 5], [3, 3, 9])
    assert found[0] == data[:3] and found[2] == data[5:9]
    assert isinstance(found[1], FileNotFoundError)


def test_an_open_file_seeks_and_reads_lines(fs: PackingFileSystem, folder: str) -> None:
    data = b"".join(b"line %d\n" % i for i in range(200_000))
    fs.pipe_file(f"{folder}/f", data)
    with fs.open(f"{folder}/f") as file:
        file.seek(-12, 2)
        assert file.read() == data[-12:]
        file.seek(0)
        assert file.readline() == b"line 0\n"
        file.seek(len(data) // 2)
        assert file.read(100) == data[len(data) // 2 :][:100]
        assert file.size == len(data)


def test_an_open_file_keeps_its_version_until_that_is_gone(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"first")
    with fs.open(f"{folder}/f") as file:
        fs.mv(f"{folder}/f", f"{folder}/g")
        assert file.read() == b"first"
    reader = fs.open(f"{folder}/g", block_size=1)
    fs.pipe_file(f"{folder}/g", b"other")
    try:
        assert reader.read() == b"first"
    except FileNotFoundError as e:
        assert "deleted or overwritten" in str(e)


def test_a_file_appears_complete_at_its_close_or_not_at_all(fs: PackingFileSystem, folder: str) -> None:
    for size in (10, 6 * MB):
        with pytest.raises(RuntimeError), fs.open(f"{folder}/f", "wb") as file:
            file.write(bytes(size))
            assert not fs.exists(f"{folder}/f")
            raise RuntimeError
        assert not fs.exists(f"{folder}/f")
        left = fs.open(f"{folder}/f", "wb")
        left.write(bytes(size))
        del left
        assert not fs.exists(f"{folder}/f")


def test_appends_follow_what_is_there(fs: PackingFileSystem, folder: str) -> None:
    path = f"{folder}/log"
    data = some_bytes(2, 5 * MB)
    for part in (b"one", b"", data, b"two"):
        with fs.open(path, "ab") as file:
            file.write(part)
    assert fs.cat_file(path) == b"one" + data + b"two"


def test_an_append_fails_when_the_file_has_changed_meanwhile(fs: PackingFileSystem, folder: str) -> None:
    path = f"{folder}/log"
    fs.pipe_file(path, b"one")
    late = fs.open(path, "ab")
    late.write(b"late")
    with fs.open(path, "ab") as file:
        file.write(b" two")
    with pytest.raises(OSError) as refused:
        late.close()
    assert refused.value.errno == errno.EAGAIN
    assert fs.cat_file(path) == b"one two"


def test_of_writers_that_create_one_file_exactly_one_wins(fs: PackingFileSystem, folder: str) -> None:
    def create(number: int) -> bool:
        try:
            fs.pipe_file(f"{folder}/f", b"%d" % number, mode="create")
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(create, range(16)))
    assert won.count(True) == 1
    assert fs.cat_file(f"{folder}/f") == b"%d" % won.index(True)
    with pytest.raises(FileExistsError):
        fs.open(f"{folder}/f", "xb")
    file = fs.open(f"{folder}/g", "xb")
    file.write(bytes(5 * MB))
    fs.touch(f"{folder}/g")
    with pytest.raises(FileExistsError):
        file.close()


ODD_NAMES = [
    "späße",
    "日本語",
    "🎉 emoji 🎉",
    "e\u0301 and \u00e9",
    " spaces ",
    "a:b",
    "a%20b%",
    "back\\slash",
    "new\nline",
    "tab\t",
    "#hash?query=1&x",
    "a@b,c",
    "'quotes\"",
    "...",
    ".hidden",
    "~",
    "x" * 255,
    "ü" * 127,
]


@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_odd_names_are_names(cluster: Cluster, fs: PackingFileSystem, folder: str, name: str) -> None:
    path = f"{folder}/{name}"
    with fsspec.open(f"{cluster.url}{path}", "wb") as file:
        file.write(name.encode())
    assert fs.ls(folder, detail=False) == [path]
    assert fs.cat_file(path) == name.encode()
    assert fs.get_batch([path]) == {path: name.encode()}
    assert fs.unstrip_protocol(path) == f"{cluster.url}{path}"
    fs.mv(path, f"{folder}/plain")
    assert not fs.exists(path)


@pytest.mark.parametrize("name", ["a/../b", "./a", "nul\0", "a/.", "\ud800"])
def test_impossible_names_are_refused(fs: PackingFileSystem, folder: str, name: str) -> None:
    for attempt in (fs.info, fs.touch, fs.ls, fs.mkdir):
        with pytest.raises(ValueError):
            attempt(f"{folder}/{name}")


def test_names_that_nobody_may_make_are_refused(fs: PackingFileSystem, folder: str) -> None:
    for name, number in (("x" * 256, errno.ENAMETOOLONG), ("d/" * 1001 + "f", errno.ENAMETOOLONG)):
        with pytest.raises(OSError) as refused:
            fs.touch(f"{folder}/{name}")
        assert refused.value.errno == number
    with pytest.raises(OSError) as snapshot:
        fs.touch(f"{folder}/.snapshot/a")
    assert snapshot.value.errno == errno.EROFS
    with pytest.raises(PermissionError):
        fs.touch("/.reserved/scratch/mine")
    assert "/.reserved" not in fs.ls("/", detail=False)


def test_doubled_and_trailing_slashes_are_folded(cluster: Cluster, fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{cluster.url}/{folder}//a///b", b"x")
    assert fs.cat_file(f"{folder}/a/b/") == b"x"


def test_a_listing_has_all_pages_in_order(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/{number:05d}": b"" for number in range(2500)})
    names = fs.ls(folder, detail=False)
    assert names == [f"{folder}/{number:05d}" for number in range(2500)]
    assert [entry["type"] for entry in fs.ls(folder)] == ["file"] * 2500
    assert fs.glob(f"{folder}/0123?") == [f"{folder}/0123{digit}" for digit in range(10)]


def test_info_has_what_a_file_system_has(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"12345")
    info = fs.info(f"{folder}/f")
    assert (info["name"], info["size"], info["type"], info["mode"]) == (f"{folder}/f", 5, "file", 0o644)
    assert abs(fs.modified(f"{folder}/f") - datetime.now(timezone.utc)) < timedelta(hours=1)
    before = fs.ukey(f"{folder}/f")
    assert fs.ukey(f"{folder}/f") == before
    fs.pipe_file(f"{folder}/f", b"12345")
    assert fs.ukey(f"{folder}/f") != before
    fs.set_attributes(f"{folder}/f", AttributeChange(mode=0o600, mtime=1.5, owner="alice", extended={"user.k": b"v"}))
    info = fs.info(f"{folder}/f")
    assert (info["mode"], info["mtime"], info["owner"]) == (0o600, 1.5, "alice")
    fs.touch(f"{folder}/f", truncate=False)
    assert fs.info(f"{folder}/f")["mtime"] > 1.5 and fs.size(f"{folder}/f") == 5
    assert fs.isdir(folder) and not fs.isfile(folder) and not fs.exists(f"{folder}/none")


def test_removals_are_those_of_a_file_system(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/d/{number}": b"x" for number in range(20)})
    with pytest.raises(OSError) as full:
        fs.rmdir(f"{folder}/d")
    assert full.value.errno == errno.ENOTEMPTY
    with pytest.raises(IsADirectoryError):
        fs.rm(f"{folder}/d")
    with pytest.raises(NotADirectoryError):
        fs.rmdir(f"{folder}/d/1")
    fs.rm([f"{folder}/d/1", f"{folder}/d/2"])
    fs.rm(f"{folder}/d/1?")
    assert len(fs.ls(f"{folder}/d")) == 8
    fs.rm(f"{folder}/d", recursive=True)
    assert not fs.exists(f"{folder}/d")
    for missing in (fs.rm, fs.rmdir, fs.info, fs.ls, fs.cat_file):
        with pytest.raises(FileNotFoundError):
            missing(f"{folder}/d")


def test_kinds_that_do_not_fit_have_their_own_errors(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"x")
    for attempt in (fs.open, fs.cat_file):
        with pytest.raises(IsADirectoryError):
            attempt(folder)
    with pytest.raises(IsADirectoryError):
        fs.pipe_file(folder, b"x")
    with pytest.raises(OSError) as below:
        fs.pipe_file(f"{folder}/f/g", b"x")
    assert below.value.errno == errno.ENOTDIR
    with pytest.raises(FileExistsError):
        fs.mkdir(folder)
    with pytest.raises(FileExistsError):
        fs.makedirs(f"{folder}/f", exist_ok=True)


def test_a_move_is_one_step_and_replaces_files(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/d/f": b"new", f"{folder}/old": b"old", f"{folder}/e/x": b""})
    fs.mv(f"{folder}/d/f", f"{folder}/old")
    assert fs.cat_file(f"{folder}/old") == b"new"
    fs.mv(f"{folder}/old", f"{folder}/e")
    assert fs.cat_file(f"{folder}/e/old") == b"new"
    fs.mv(f"{folder}/e", f"{folder}/fresh/e2", recursive=True)
    assert fs.find(f"{folder}/fresh") == [f"{folder}/fresh/e2/old", f"{folder}/fresh/e2/x"]
    with pytest.raises(FileNotFoundError):
        fs.mv(f"{folder}/none", f"{folder}/other")


def test_local_files_go_and_come(fs: PackingFileSystem, folder: str, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / str(number)).write_bytes(some_bytes(number, number * 1000))
    fs.put(str(tmp_path / "in"), folder, recursive=True)
    fs.get(f"{folder}/in", str(tmp_path / "out"), recursive=True)
    for number in range(30):
        assert (tmp_path / "out" / str(number)).read_bytes() == some_bytes(number, number * 1000)


def _read_in_child(fs: PackingFileSystem, path: str) -> bytes:
    return bytes(fs.cat_file(path))


def test_a_file_system_goes_to_other_processes(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"x")
    again = pickle.loads(pickle.dumps(fs))
    assert again.cat_file(f"{folder}/f") == b"x"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(_read_in_child, [(fs, f"{folder}/f")] * 4) == [b"x"] * 4


def test_a_forked_process_has_connections_of_its_own(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"x")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap_async(_read_in_child, [(fs, f"{folder}/f")] * 4)
        assert found.get(timeout=120) == [b"x"] * 4
    assert fs.cat_file(f"{folder}/f") == b"x"


def test_the_master_that_serves_is_found_among_several(cluster: Cluster, folder: str) -> None:
    fs = PackingFileSystem(f"127.0.0.1:1,{cluster.master.address}")
    fs.pipe_file(f"{folder}/f", b"x")
    assert fs.cat_file(f"{folder}/f") == b"x"


def test_a_mount_is_opened_by_its_name(cluster: Cluster, folder: str) -> None:
    with pytest.raises(ValueError, match="nobody"):
        PackingFileSystem(f"nobody@{cluster.master.address}").info("/")
    with pytest.raises(ValueError, match="named twice"):
        PackingFileSystem(f"m@{cluster.master.address}", store=f"file://{cluster.store}").info("/")
    assert PackingFileSystem(cluster.master.address, store=f"file://{cluster.store}").exists(folder)


def test_many_threads_share_a_file_system(fs: PackingFileSystem, folder: str) -> None:
    def work(number: int) -> None:
        data = some_bytes(number, 1000 * number)
        fs.pipe_file(f"{folder}/{number}", data)
        assert fs.cat_file(f"{folder}/{number}") == data

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(work, range(100)))
    assert len(fs.ls(folder)) == 100
