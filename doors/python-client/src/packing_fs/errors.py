# SPDX-License-Identifier: Apache-2.0
"""Failures, as the exceptions of Python that programs expect from a file system.

A missing file is a ``FileNotFoundError``, a missing right a ``PermissionError``, a full buffer an ``OSError`` with
``ENOSPC``, and an exceeded quota one with ``EDQUOT``. The classes here are for what Python has no name for.
"""

from __future__ import annotations

import errno
import os

from packing_fs.protocol import bdt_pb2


class UnavailableError(ConnectionError):
    """A server that did not answer in time. Nothing is lost: a later try may succeed."""


class UntrustedError(ConnectionError):
    """A connection that one end refused, since it does not believe the other's certificate. A retry does not help."""


class OtherMasterError(UnavailableError):
    """The refusal of a master that does not lead its group.

    leader: address of the master that leads; empty when the refusing one does not know it
    """

    def __init__(self, message: str, leader: str) -> None:
        super().__init__(message)
        self.leader = leader


class OtherGroupError(UnavailableError):
    """The refusal of a master whose mount another group of masters has.

    addresses: of the masters of that group
    """

    def __init__(self, message: str, addresses: list[str]) -> None:
        super().__init__(message)
        self.addresses = addresses


class BusyError(UnavailableError):
    """The refusal of a master that has too much to do.

    seconds: the pause before the next try
    """

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class MountNotOpenError(Exception):
    """The answer of a master that has restarted. The client opens the mount again, so that users do not see it."""


class UnknownCallError(OSError):
    """The answer of a server of an older version, which does not have the call."""


class LeavingError(Exception):
    """The refusal of a worker that leaves and has stored nothing. The client asks another worker."""


class DamagedError(OSError):
    """Bytes that were damaged on their way."""


class VectorRefusedError(OSError):
    """A vector of which the master executed nothing.

    index: place of the first operation, or precondition, that failed
    precondition: True if a precondition failed
    reason: name of the outcome, such as ``EXISTS``
    """

    def __init__(self, index: int, precondition: bool, reason: str) -> None:
        kind = "precondition" if precondition else "operation"
        number, words = ERRNO.get(reason, (errno.EIO, "failed"))
        super().__init__(number, f"nothing was changed, since {kind} {index} failed: {words}")
        self.words = words
        self.index = index
        self.precondition = precondition
        self.reason = reason

    def plain(self) -> OSError:
        """Returns the error for a caller who asked for one change, and knows no vector."""
        return OSError(self.errno, self.words)


# The outcomes of the protocol, except DONE. Python makes the subclass of OSError that fits the number.
ERRNO: dict[str, tuple[int, str]] = {
    "NOT_FOUND": (errno.ENOENT, "no such file or directory"),
    "EXISTS": (errno.EEXIST, "it exists"),
    "NO_PARENT": (errno.ENOENT, "its directory does not exist"),
    "NOT_A_DIRECTORY": (errno.ENOTDIR, "not a directory"),
    "IS_A_DIRECTORY": (errno.EISDIR, "it is a directory"),
    "NOT_EMPTY": (errno.ENOTEMPTY, "the directory is not empty"),
    "INVALID": (errno.EINVAL, "the change is not possible"),
    "CHANGED": (errno.EAGAIN, "it has changed meanwhile"),
    "UNKNOWN_CONTENT": (errno.EIO, "its bytes are unknown"),
    "UNCOMMITTED": (errno.EBUSY, "its bytes are on their way"),
    "DENIED": (errno.EACCES, "permission denied"),
    "NO_ATTRIBUTE": (errno.ENODATA, "it has no such attribute"),
    "NO_ROOM": (errno.ENOSPC, "no room for attributes"),
    "NAMES_QUOTA": (errno.EDQUOT, "its directory's quota of names is used up"),
    "BYTES_QUOTA": (errno.EDQUOT, "its directory's quota of bytes is used up"),
}


def outcome_error(outcome: int, path: str) -> OSError:
    """Returns the exception for an outcome other than DONE."""
    name = bdt_pb2.OutcomeCode.Name(outcome) if outcome in bdt_pb2.OutcomeCode.values() else f"outcome {outcome}"
    number, words = ERRNO.get(name, (errno.EIO, f"the master answered {name}"))
    return OSError(number, words, path)


def not_found(path: str) -> FileNotFoundError:
    """Returns the exception for a path without an entry."""
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def about(path: str, error: OSError) -> OSError:
    """Returns the error, with the path to which it belongs."""
    if error.errno is not None and error.filename is None:
        error.filename = path
    return error
