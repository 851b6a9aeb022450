# SPDX-License-Identifier: Apache-2.0
"""The names of a mount, and where the bytes of its files are, as the master tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from packing_fs.channels import of_master
from packing_fs.errors import VectorRefusedError, outcome_error
from packing_fs.master import Mount
from packing_fs.protocol import bdt_pb2
from packing_fs.vectors import AttributeChange, Operation, Precondition, attributes_message

_STAT = of_master("Stat", bdt_pb2.StatReply)
_LOCATE = of_master("Locate", bdt_pb2.LocateReply)
_LIST = of_master("List", bdt_pb2.ListReply)
_FIND = of_master("Find", bdt_pb2.FindReply)
_MKDIR = of_master("Mkdir", bdt_pb2.OutcomeReply)
_DELETE = of_master("Delete", bdt_pb2.OutcomeReply)
_SET_ATTRIBUTES = of_master("SetAttributes", bdt_pb2.OutcomeReply)
_APPLY = of_master("Apply", bdt_pb2.VectorReply)
_WORKERS = of_master("Workers", bdt_pb2.WorkersReply)

_PAGE = 1_000


@dataclass(frozen=True)
class Owner:
    """The owner of what a client makes. A server with TLS takes the caller's name instead."""

    user: str
    group: str


class Table:
    """The table of one mount. It only translates; paths are checked before. Thread-safe."""

    def __init__(self, mount: Mount) -> None:
        self._mount = mount

    @property
    def worker_name(self) -> str:
        """The mount's name at workers."""
        return self._mount.worker_name

    def stat(self, path: str) -> bdt_pb2.Status | None:
        """Returns the entry at a path."""
        reply = self._mount.call(f"stat {path}", _STAT, lambda id: bdt_pb2.PathRequest(mount=id, path=path))
        return reply.status if reply.HasField("status") else None

    def locate(self, path: str) -> bdt_pb2.LocateReply | None:
        """Returns the file or directory at a path, with the places of a file's bytes."""
        reply = self._mount.call(f"locate {path}", _LOCATE, lambda id: bdt_pb2.LocateRequest(mount=id, path=path))
        return reply if reply.HasField("status") else None

    def locate_version(self, version: bdt_pb2.Version, opened_as: str) -> bdt_pb2.LocateReply | None:
        """Returns the places of a version's bytes, if it is still there.

        opened_as: path by which the caller opened the file
        """
        reply = self._mount.call(
            f"locate {opened_as}",
            _LOCATE,
            lambda id: bdt_pb2.LocateRequest(mount=id, version=version, opened_as=opened_as),
        )
        return reply if reply.HasField("status") else None

    def entries(self, directory: str) -> Iterator[bdt_pb2.Status] | None:
        """Returns the entries of a directory, page by page, each with its name as path; None: there is no directory."""
        first = self._page(directory, "")
        return self._all(directory, first) if first.found else None

    def _all(self, directory: str, page: bdt_pb2.ListReply) -> Iterator[bdt_pb2.Status]:
        while page.entries:
            yield from page.entries
            if len(page.entries) < _PAGE:
                return
            page = self._page(directory, page.entries[-1].path)

    def _page(self, directory: str, after: str) -> bdt_pb2.ListReply:
        return self._mount.call(
            f"list {directory}",
            _LIST,
            lambda id: bdt_pb2.ListRequest(mount=id, directory=directory, start_after=after, limit=_PAGE),
        )

    def located(self, directory: str) -> Iterator[bdt_pb2.LocateReply] | None:
        """Returns the entries of a directory with the places of their bytes, each with its name as path."""
        first = self._located_page(directory, "")
        return self._all_located(directory, first) if first.found else None

    def _all_located(self, directory: str, page: bdt_pb2.ListReply) -> Iterator[bdt_pb2.LocateReply]:
        while True:
            # A master of an older version tells no places here.
            found = list(page.located) or [bdt_pb2.LocateReply(status=each) for each in page.entries]
            yield from found
            if page.last or not found:
                return
            page = self._located_page(directory, found[-1].status.path)

    def _located_page(self, directory: str, after: str) -> bdt_pb2.ListReply:
        return self._mount.call(
            f"list {directory}",
            _LIST,
            lambda id: bdt_pb2.ListRequest(mount=id, directory=directory, start_after=after, limit=_PAGE, located=True),
        )

    def find(self, paths: Sequence[str]) -> Iterator[bdt_pb2.FoundMessage]:
        """Yields the entry at each path, with the place of its bytes."""
        at = 0
        while at < len(paths):
            found = self._found(paths[at : at + _PAGE])
            yield from found
            at += len(found)

    def _found(self, paths: Sequence[str]) -> Sequence[bdt_pb2.FoundMessage]:
        found = self._mount.call(
            f"find {len(paths)} paths", _FIND, lambda id: bdt_pb2.FindRequest(mount=id, paths=paths)
        ).found
        if not 0 < len(found) <= len(paths):
            raise ValueError(f"the master answers {len(paths)} paths with {len(found)} entries")
        return found

    def mkdir(self, path: str, owner: Owner, mode: int, create_parents: bool) -> None:
        """Makes a directory."""
        request = self._mount.new_request()
        self._done(
            path,
            self._mount.call(
                f"mkdir {path}",
                _MKDIR,
                lambda id: bdt_pb2.MkdirRequest(
                    mount=id,
                    request=request,
                    path=path,
                    owner=owner.user,
                    group=owner.group,
                    mode=mode,
                    create_parents=create_parents,
                ),
            ),
        )

    def delete(self, path: str, recursive: bool) -> None:
        """Deletes a file, or a directory with all that is in it."""
        request = self._mount.new_request()
        self._done(
            path,
            self._mount.call(
                f"delete {path}",
                _DELETE,
                lambda id: bdt_pb2.DeleteRequest(mount=id, request=request, path=path, recursive=recursive),
            ),
        )

    def set_attributes(self, path: str, change: AttributeChange) -> None:
        """Changes attributes of a file or directory."""
        request = self._mount.new_request()
        message = attributes_message(change)

        def asked(id: str) -> bdt_pb2.SetAttributesRequest:
            asks = bdt_pb2.SetAttributesRequest(mount=id, request=request, path=path)
            # Both messages have fields of these names, of which only set ones are sent.
            for field, value in message.ListFields():
                if field.name == "extra":
                    asks.extra.CopyFrom(value)
                else:
                    setattr(asks, field.name, value)
            return asks

        self._done(path, self._mount.call(f"set attributes of {path}", _SET_ATTRIBUTES, asked))

    def apply(self, operations: Sequence[Operation], preconditions: Sequence[Precondition]) -> int:
        """Executes operations together, or raises VectorRefusedError and has executed none.

        Returns the position of the change in the mount's log; 0: nothing was to change.
        """
        request = self._mount.new_request()
        reply = self._mount.call(
            f"apply a vector of {len(operations)} operations",
            _APPLY,
            lambda id: bdt_pb2.VectorRequest(
                mount=id,
                request=request,
                preconditions=[each.message() for each in preconditions],
                operations=[each.message() for each in operations],
            ),
        )
        if reply.reason != bdt_pb2.OutcomeCode.DONE:
            known = reply.reason in bdt_pb2.OutcomeCode.values()
            reason = bdt_pb2.OutcomeCode.Name(reply.reason) if known else str(reply.reason)
            raise VectorRefusedError(reply.failed, reply.precondition, reason)
        return reply.position

    def workers(self) -> list[bdt_pb2.Worker]:
        """Returns the workers of the mount that count as alive."""
        return list(self._mount.call("workers", _WORKERS, lambda id: bdt_pb2.MountRequest(mount=id)).workers)

    @staticmethod
    def _done(path: str, reply: bdt_pb2.OutcomeReply) -> None:
        if reply.outcome != bdt_pb2.OutcomeCode.DONE:
            raise outcome_error(reply.outcome, path)
