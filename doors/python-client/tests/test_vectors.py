# SPDX-License-Identifier: Apache-2.0
"""Operations that happen together or not at all, snapshots, clones and transactions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from packing_fs import PackingFileSystem, VectorRefusedError, vectors


def test_a_vector_changes_all_or_nothing(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/a": b"aaaa", f"{folder}/b": b"bb"})
    done = fs.apply(
        [
            vectors.Rename(f"{folder}/a", f"{folder}/c"),
            vectors.CloneRange(f"{folder}/b", 0, 2, f"{folder}/c", 1),
            vectors.MakeDirectory(f"{folder}/d/e"),
            vectors.CreateFile(f"{folder}/d/e/empty"),
            vectors.Link(f"{folder}/c", f"{folder}/d/link"),
            vectors.Delete(f"{folder}/b"),
        ]
    )
    assert done > 0
    assert fs.cat_file(f"{folder}/c") == fs.cat_file(f"{folder}/d/link") == b"abba"
    assert fs.find(folder) == [f"{folder}/c", f"{folder}/d/e/empty", f"{folder}/d/link"]
    with pytest.raises(VectorRefusedError) as refused:
        fs.apply([vectors.Delete(f"{folder}/c"), vectors.Delete(f"{folder}/none")])
    assert (refused.value.index, refused.value.precondition, refused.value.reason) == (1, False, "NOT_FOUND")
    assert fs.exists(f"{folder}/c")


def test_operations_on_bytes_have_their_effects(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/a": b"0123456789", f"{folder}/b": b"bbbb"})
    fs.apply([vectors.DeleteRange(f"{folder}/a", 2, 3)])
    assert fs.cat_file(f"{folder}/a") == b"01\0\0\x0056789"
    fs.apply([vectors.MoveRange(f"{folder}/a", 5, 5, f"{folder}/b", 4), vectors.Truncate(f"{folder}/b", 8)])
    assert fs.cat_file(f"{folder}/b") == b"bbbb5678"
    assert fs.cat_file(f"{folder}/a", 0, 3) == b"01\0"
    fs.apply([vectors.Truncate(f"{folder}/b", 10)])
    assert fs.cat_file(f"{folder}/b", 6) == b"78\0\0"
    fs.pipe({f"{folder}/from/x": b"x", f"{folder}/to/y": b"y"})
    change = vectors.AttributeChange(mode=0o640)
    fs.apply(
        [
            vectors.MergeDirectory(f"{folder}/from", f"{folder}/to"),
            vectors.SetAttributes(f"{folder}/to/x", change),
            vectors.CloneFile(f"{folder}/to/y", f"{folder}/to/z", change=change),
        ]
    )
    assert fs.ls(f"{folder}/to", detail=False) == [f"{folder}/to/{name}" for name in "xyz"]
    assert fs.info(f"{folder}/to/x")["mode"] == fs.info(f"{folder}/to/z")["mode"] == 0o640


def test_preconditions_hold_or_nothing_happens(fs: PackingFileSystem, folder: str) -> None:
    path = f"{folder}/f"
    fs.pipe_file(path, b"one")
    seen = fs.info(path)["version"]
    fs.apply([vectors.CloneFile(path, f"{folder}/g")], [vectors.SameVersion(path, seen), vectors.Absent(f"{folder}/g")])
    with pytest.raises(VectorRefusedError) as there:
        fs.apply([vectors.Delete(path)], [vectors.Absent(f"{folder}/g")])
    assert there.value.precondition
    fs.pipe_file(path, b"two")
    with pytest.raises(VectorRefusedError) as changed:
        fs.apply([vectors.Delete(path)], [vectors.SameVersion(path, seen)])
    assert (changed.value.index, changed.value.precondition, changed.value.reason) == (0, True, "CHANGED")
    assert fs.cat_file(path) == b"two"


def test_of_writers_with_one_precondition_one_wins(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/pointer", b"0")
    for number in range(8):
        fs.pipe_file(f"{folder}/next-{number}", b"%d" % number)
    seen = fs.info(f"{folder}/pointer")["version"]

    def commit(number: int) -> bool:
        try:
            fs.apply(
                [vectors.Rename(f"{folder}/next-{number}", f"{folder}/pointer", overwrite=True)],
                [vectors.SameVersion(f"{folder}/pointer", seen)],
            )
        except VectorRefusedError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(commit, range(8)))
    assert won.count(True) == 1
    assert fs.cat_file(f"{folder}/pointer") == b"%d" % won.index(True)


def test_a_snapshot_keeps_what_was_there(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/t/a": b"old", f"{folder}/t/b": b"gone"})
    past = fs.take_snapshot(f"{folder}/t", "monday")
    fs.pipe_file(f"{folder}/t/a", b"new")
    fs.rm(f"{folder}/t/b")
    assert fs.cat_file(f"{past}/a") == b"old"
    assert fs.get_batch([f"{past}/a", f"{past}/b"]) == {f"{past}/a": b"old", f"{past}/b": b"gone"}
    assert fs.snapshots(f"{folder}/t") == ["monday"]
    fs.clone(past, f"{folder}/again")
    assert fs.cat(f"{folder}/again/*") == {f"{folder}/again/a": b"old", f"{folder}/again/b": b"gone"}
    fs.apply([vectors.RenameSnapshot(f"{folder}/t", "monday", "first")])
    assert fs.snapshots(f"{folder}/t") == ["first"]
    fs.drop_snapshot(f"{folder}/t", "first")
    assert fs.snapshots(f"{folder}/t") == []
    assert fs.cat_file(f"{folder}/again/a") == b"old"


def test_a_clone_is_a_branch(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe({f"{folder}/main/{number}": b"%d" % number for number in range(10)})
    fs.clone(f"{folder}/main", f"{folder}/branch")
    fs.pipe_file(f"{folder}/branch/3", b"other")
    fs.rm(f"{folder}/branch/4")
    assert fs.cat_file(f"{folder}/main/3") == b"3" and fs.exists(f"{folder}/main/4")
    assert fs.cat_file(f"{folder}/branch/3") == b"other" and fs.cat_file(f"{folder}/branch/5") == b"5"
    with pytest.raises(FileExistsError):
        fs.clone(f"{folder}/main", f"{folder}/branch")


def test_the_files_of_a_transaction_appear_together_or_not_at_all(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/a", b"before")
    with fs.transaction:
        for name in ("a", "b/c"):
            with fs.open(f"{folder}/{name}", "wb") as file:
                file.write(name.encode())
        assert fs.find(folder) == [f"{folder}/a"] and fs.cat_file(f"{folder}/a") == b"before"
    assert fs.cat_file(f"{folder}/a") == b"a" and fs.cat_file(f"{folder}/b/c") == b"b/c"
    with pytest.raises(RuntimeError), fs.transaction:
        with fs.open(f"{folder}/a", "wb") as file:
            file.write(b"half")
        raise RuntimeError
    assert fs.cat_file(f"{folder}/a") == b"a"
    # A file of another client's is in the way of one of them, so none appears.
    with pytest.raises(FileExistsError), fs.transaction:
        for name in ("a", "new"):
            with fs.open(f"{folder}/{name}", "wb" if name == "a" else "xb") as file:
                file.write(b"late")
        with PackingFileSystem(fs.authority, skip_instance_cache=True).open(f"{folder}/new", "wb") as file:
            file.write(b"theirs")
    assert fs.cat_file(f"{folder}/a") == b"a" and fs.cat_file(f"{folder}/new") == b"theirs"
