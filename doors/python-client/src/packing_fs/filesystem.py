# SPDX-License-Identifier: Apache-2.0
"""The fsspec file system of ``packing://`` URLs."""

from __future__ import annotations

import getpass
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from glob import has_magic
from typing import Any

from fsspec.spec import AbstractFileSystem

from packing_fs import batches, paths, writes
from packing_fs.address import Address
from packing_fs.client import Client
from packing_fs.errors import VectorRefusedError, not_found
from packing_fs.files import PackingReadFile, PackingWriteFile
from packing_fs.options import Options
from packing_fs.protocol import bdt_pb2
from packing_fs.table import Owner
from packing_fs.transaction import PackingTransaction
from packing_fs.vectors import (
    AttributeChange,
    CloneDirectory,
    CloneFile,
    DropSnapshot,
    Operation,
    Precondition,
    Rename,
    TakeSnapshot,
)

_State = bdt_pb2.Status.State
_READ_BLOCK_BYTES = 4 << 20
# What fsspec itself takes of storage options.
_OF_FSSPEC = {"asynchronous", "loop", "batch_size", "use_listings_cache", "listings_expiry_time", "max_paths"}


class PackingFileSystem(AbstractFileSystem):
    """A mount of packing, by the URL ``packing://[MOUNT@]HOST[:PORT][,HOST[:PORT]…]/PATH``.

    Workers take and read its files, so that a program needs no credentials of the store. Thread-safe.

    address: the masters, and perhaps the mount's name, as in the URL; by default those of the variable PACKING_MOUNT
    user, group: the owner of new files where the servers have no TLS; with TLS it is the caller
    storage_options: options of docs/python.md, as ``packing.tls.trust`` or ``tls_trust``
    """

    protocol = "packing"
    root_marker = "/"
    transaction_type = PackingTransaction

    def __init__(
        self, address: str | None = None, user: str | None = None, group: str = "", **storage_options: Any
    ) -> None:
        super().__init__(address=address, user=user, group=group, **storage_options)
        self.authority = address or paths.authority(os.environ.get("PACKING_MOUNT", ""))
        if not self.authority:
            raise ValueError("no mount is named: open packing://HOST:PORT/PATH, or set PACKING_MOUNT")
        self._address = Address.parse(self.authority)
        self._options = Options.parse({key: v for key, v in storage_options.items() if key not in _OF_FSSPEC})
        self._owner = Owner(getpass.getuser() if user is None else user, group)
        self._client_lock = threading.Lock()
        self._client: Client | None = None
        self._client_pid = 0

    @property
    def client(self) -> Client:
        """The connections of this process."""
        with self._client_lock:
            if self._client is None or self._client_pid != os.getpid():
                # Connections of a process are no use to its child.
                self._client = Client(self._address, self._options, self._owner)
                self._client_pid = os.getpid()
            return self._client

    @property
    def spill_bytes(self) -> int:
        """The size up to which a file that is written stays in memory."""
        return self._options.spill_bytes

    @property
    def fsid(self) -> str:
        """The file system's own name."""
        return f"packing-{self.authority}"

    # Names

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(each) for each in path]
        return paths.strip(os.fspath(path))

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        authority = paths.authority(path)
        return {"address": authority} if authority else {}

    def unstrip_protocol(self, name: str) -> str:
        """Returns the URL of a path."""
        return f"{paths.SCHEME}{self.authority}{self._strip_protocol(name)}"

    def _path(self, path: str) -> str:
        return paths.checked(self._strip_protocol(path))

    def _new_path(self, path: str) -> str:
        return paths.creatable(self._strip_protocol(path))

    # Look-ups

    def entry(self, path: str, status: bdt_pb2.Status) -> dict[str, Any]:
        """Returns an entry as fsspec describes it, with ``version`` for preconditions of vectors."""
        attributes = status.attributes
        directory = status.state == _State.DIRECTORY
        return {
            "name": path,
            "size": 0 if directory else attributes.length,
            "type": "directory" if directory else "file",
            "mtime": attributes.mtime_millis / 1000,
            "owner": attributes.owner,
            "group": attributes.group,
            "mode": attributes.mode,
            "version": (status.version.id, status.version.generation),
        }

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        """Describes the file or directory at a path."""
        path = self._path(path)
        status = self.client.table.stat(path)
        if status is None:
            raise not_found(path)
        return self.entry(path, status)

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> list[Any]:
        """Lists a directory, in the order of the names; a file lists itself."""
        path = self._path(path)
        listed = self.client.table.entries(path)
        entries = [self.info(path)] if listed is None else [self.entry(paths.child(path, s.path), s) for s in listed]
        return entries if detail else [entry["name"] for entry in entries]

    def exists(self, path: str, **kwargs: Any) -> bool:
        """Returns whether something is at a path. A master that does not answer is an error, not an absence."""
        try:
            self.info(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def isdir(self, path: str) -> bool:
        """Returns whether a directory is at a path."""
        return self._type(path) == "directory"

    def isfile(self, path: str) -> bool:
        """Returns whether a file is at a path."""
        return self._type(path) == "file"

    def _type(self, path: str) -> str:
        try:
            return str(self.info(path)["type"])
        except (FileNotFoundError, NotADirectoryError):
            return "nothing"

    def modified(self, path: str) -> datetime:
        """Returns the modification time."""
        return datetime.fromtimestamp(self.info(path)["mtime"], timezone.utc)

    def ukey(self, path: str) -> str:
        """Returns a text that changes with the bytes of a file."""
        return "{}-{}".format(*self.info(path)["version"])

    def checksum(self, path: str) -> int:
        """Returns a number that changes with the bytes of a file."""
        return hash(self.info(path)["version"])

    # Reads

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | None = None,
        autocommit: bool = True,
        cache_options: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> PackingReadFile | PackingWriteFile:
        if mode == "rb":
            path = self._path(path)
            kwargs.pop("size", None)
            return PackingReadFile(
                self,
                path,
                self.client.open(path),
                block_size=block_size or _READ_BLOCK_BYTES,
                cache_options=cache_options,
                **kwargs,
            )
        path = self._new_path(path)
        if mode == "xb" and self.exists(path):
            raise FileExistsError(17, "the file exists", path)
        permissions = kwargs.pop("permissions", 0o644)
        return PackingWriteFile(self, path, mode, permissions, autocommit, **kwargs)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        """Returns the bytes of a file, or a range of them; negative offsets count from its end."""
        reader = self.client.open(self._path(path))
        first, last, _ = slice(start, end).indices(reader.size)
        return reader.read(first, max(0, last - first))

    def cat(self, path: Any, recursive: bool = False, on_error: str = "raise", **kwargs: Any) -> Any:
        """Returns the bytes of a file; of several, or of a pattern, a dictionary of them, by ``get_batch``."""
        found = self.expand_path(path, recursive=recursive)
        if isinstance(path, str) and found == [self._strip_protocol(path)]:
            return self.cat_file(found[0], **kwargs)
        if kwargs or recursive:
            return super().cat(path, recursive=recursive, on_error=on_error, **kwargs)
        return self.get_batch(found, on_error)

    def cat_ranges(
        self,
        paths: list[str],
        starts: int | list[int],
        ends: int | list[int],
        max_gap: int | None = None,
        on_error: str = "return",
        **kwargs: Any,
    ) -> list[Any]:
        """Returns ranges of files, several at a time."""
        if max_gap is not None:
            raise NotImplementedError("max_gap")
        first = starts if isinstance(starts, list) else [starts] * len(paths)
        last = ends if isinstance(ends, list) else [ends] * len(paths)
        if not len(paths) == len(first) == len(last):
            raise ValueError(f"{len(paths)} paths, {len(first)} starts, {len(last)} ends")

        def one(path: str, start: int, end: int) -> bytes | Exception:
            try:
                return self.cat_file(path, start, end)
            except Exception as e:
                if on_error == "return":
                    return e
                raise

        return [one(*each) for each in zip(paths, first, last, strict=True)]

    def get_batch(self, paths: Iterable[str], on_error: str = "raise") -> dict[str, Any]:
        """Returns the bytes of many files, by few requests.

        on_error: "raise"; "return" has the exception in the place of the bytes; "omit" leaves the file out
        """
        return dict(self.iter_batch(paths, on_error))

    def iter_batch(self, paths: Iterable[str], on_error: str = "raise") -> Iterator[tuple[str, Any]]:
        """Yields path and bytes of many files in the order of the paths, by few requests that run ahead."""
        if on_error not in ("raise", "return", "omit"):
            raise ValueError(f"on_error: '{on_error}', want raise, return or omit")
        asked = [self._strip_protocol(path) for path in paths]
        for path, found in batches.read(self.client, asked):
            if not isinstance(found, Exception):
                yield path, found
            elif on_error == "raise":
                raise found
            elif on_error == "return":
                yield path, found

    # Writes

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        """Writes a whole file. With mode ``create`` it fails if the file is there, also when others make it now."""
        path = self._new_path(path)
        self.client.put(self.client.creation(path, kwargs.get("permissions", 0o644), mode != "create"), bytes(value))

    def pipe(self, path: Any, value: bytes | None = None, **kwargs: Any) -> None:
        """Writes a whole file, or those of a dictionary, which share messages."""
        if not isinstance(path, dict):
            super().pipe(path, value, **kwargs)
            return
        overwrite = kwargs.pop("mode", "overwrite") != "create"
        client = self.client
        small = []
        for each, data in path.items():
            creation = client.creation(self._new_path(each), kwargs.get("permissions", 0o644), overwrite)
            if len(data) > self.spill_bytes:
                client.put(creation, data)
            else:
                small.append(writes.NewFile(creation, bytes(data)))
        if small:
            for stored in writes.put_files(client.workers, small):
                if isinstance(stored, Exception):
                    raise stored

    def touch(self, path: str, truncate: bool = True, **kwargs: Any) -> None:
        """Makes an empty file, or sets the modification time to now."""
        if truncate or not self.exists(path):
            self.pipe_file(path, b"", **kwargs)
        else:
            self.set_attributes(path, AttributeChange(mtime=time.time()))

    def set_attributes(self, path: str, change: AttributeChange) -> None:
        """Changes owner, group, mode, modification time or extended attributes."""
        self.client.table.set_attributes(self._new_path(path), change)

    def mkdir(self, path: str, create_parents: bool = True, **kwargs: Any) -> None:
        """Makes a directory; FileExistsError if it is there."""
        path = self._new_path(path)
        if path == "/":
            raise FileExistsError(17, "the root is there", path)
        self.client.table.mkdir(path, self._owner, kwargs.get("permissions", 0o755), create_parents)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """Makes a directory with those above it."""
        try:
            self.mkdir(path, create_parents=True)
        except FileExistsError:
            if not (exist_ok and self.isdir(path)):
                raise

    def rmdir(self, path: str) -> None:
        """Deletes an empty directory."""
        info = self.info(path)
        if info["type"] != "directory":
            raise NotADirectoryError(20, "not a directory", info["name"])
        self.client.table.delete(self._new_path(path), False)

    def rm_file(self, path: str) -> None:
        """Deletes a file."""
        info = self.info(path)
        if info["type"] == "directory":
            raise IsADirectoryError(21, "is a directory", info["name"])
        self.client.table.delete(self._new_path(path), False)

    _rm = rm_file

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:
        """Deletes files, or directories with all that is in them; a directory by one call."""
        if maxdepth is not None:
            super().rm(path, recursive=recursive, maxdepth=maxdepth)
            return
        for each in [path] if isinstance(path, str | os.PathLike) else path:
            name = self._strip_protocol(each)
            for found in self.expand_path(name) if has_magic(name) else [name]:
                if recursive:
                    self.client.table.delete(self._new_path(found), True)
                else:
                    self.rm_file(found)

    # Names that change, without a copy of bytes

    def mv(self, path1: Any, path2: Any, recursive: bool = False, maxdepth: int | None = None, **kwargs: Any) -> None:
        """Renames a file or directory, in one step; a file takes the place of a file.

        A destination that is a directory, or ends with a slash, gets the source as an entry.
        """
        if not isinstance(path1, str) or not isinstance(path2, str) or has_magic(path1) or maxdepth is not None:
            super().mv(path1, path2, recursive=recursive, maxdepth=maxdepth, **kwargs)
            return
        source, target = self._new_path(path1), self._new_path(path2)
        if source == target:
            return
        if path2.endswith("/") or self.isdir(target):
            target = paths.child(target, paths.name(source))
        status = self.client.table.stat(source)
        if status is None:
            raise not_found(source)
        self.makedirs(paths.parent(target), exist_ok=True)
        self.change([Rename(source, target, overwrite=status.state != _State.DIRECTORY)])

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        """Copies a file; both share their bytes until either changes."""
        source, target = self._path(path1), self._new_path(path2)
        if self.info(source)["type"] == "directory":
            self.makedirs(target, exist_ok=True)
            return
        if source == target:
            return
        self.makedirs(paths.parent(target), exist_ok=True)
        self.change([CloneFile(source, target, overwrite=True)])

    def clone(self, source: str, destination: str) -> None:
        """Makes a file or directory that shares all bytes with another one, in one step. Nothing may be at its path."""
        source, target = self._path(source), self._new_path(destination)
        directory = self.info(source)["type"] == "directory"
        self.change([CloneDirectory(source, target) if directory else CloneFile(source, target)])

    def take_snapshot(self, directory: str, name: str) -> str:
        """Keeps the present content of a directory, and returns the path at which it can be read."""
        directory = self._new_path(directory)
        self.change([TakeSnapshot(directory, name)])
        return paths.child(paths.child(directory, paths.SNAPSHOTS), name)

    def drop_snapshot(self, directory: str, name: str) -> None:
        """Gives a snapshot up."""
        self.change([DropSnapshot(self._new_path(directory), name)])

    def snapshots(self, directory: str) -> list[str]:
        """Returns the names of a directory's snapshots."""
        return [paths.name(path) for path in self.ls(paths.child(self._path(directory), paths.SNAPSHOTS), detail=False)]

    def apply(self, operations: Sequence[Operation], preconditions: Sequence[Precondition] = ()) -> int:
        """Executes operations together or not at all; returns the position of the change in the mount's log.

        VectorRefusedError says which operation or precondition failed; nothing has changed then.
        """
        return self.client.table.apply(operations, preconditions)

    def change(self, operations: Sequence[Operation], preconditions: Sequence[Precondition] = ()) -> None:
        """Executes operations as ``apply`` does, but raises FileExistsError and the like when they are refused."""
        try:
            self.apply(operations, preconditions)
        except VectorRefusedError as e:
            raise e.plain() from e
