# SPDX-License-Identifier: Apache-2.0
"""Paths in a mount: absolute, with no empty, ``.`` or ``..`` component, and any other character but NUL."""

from __future__ import annotations

import errno
import re

SCHEME = "packing://"
RESERVED = "/.reserved"
SCRATCH = RESERVED + "/scratch"
SNAPSHOTS = ".snapshot"

_MOST_BYTES = 65_535
_MOST_LEVELS = 1_000
_MOST_NAME_BYTES = 255
_SLASHES = re.compile("/{2,}")


def strip(url: str) -> str:
    """Returns the path of a URL, or of a path that may have doubled and trailing slashes."""
    if url.startswith(SCHEME):
        url = "/" + url[len(SCHEME) :].partition("/")[2]
    if not url.startswith("/"):
        url = "/" + url
    if "//" in url:
        url = _SLASHES.sub("/", url)
    return url.rstrip("/") or "/"


def authority(url: str) -> str:
    """Returns the authority of a URL; empty: it has none."""
    return url[len(SCHEME) :].partition("/")[0] if url.startswith(SCHEME) else ""


def checked(path: str) -> str:
    """Returns the path if a mount can have it; else ValueError."""
    if "\0" in path:
        raise ValueError(f"path {path!r} contains NUL")
    # Most paths have no dot behind a slash.
    if "/." in path and any(part in (".", "..") for part in path.split("/")):
        raise ValueError(f"path {path!r} has the component '.' or '..'")
    if path == RESERVED or path.startswith(RESERVED + "/"):
        raise PermissionError(errno.EACCES, f"{RESERVED} is the system's own; use another path", path)
    try:
        path.encode()
    except UnicodeEncodeError as e:
        raise ValueError(f"path {path!r} has no form in UTF-8: {e.reason}") from e
    return path


def creatable(path: str) -> str:
    """Returns the path if a user may make an entry there; else OSError."""
    checked(path)
    parts = path.split("/")
    if SNAPSHOTS in parts:
        raise OSError(errno.EROFS, "a snapshot is never changed", path)
    if max(len(part.encode()) for part in parts) > _MOST_NAME_BYTES:
        raise OSError(errno.ENAMETOOLONG, f"a name has at most {_MOST_NAME_BYTES} bytes", path)
    if len(parts) - 1 > _MOST_LEVELS or len(path.encode()) > _MOST_BYTES:
        raise OSError(errno.ENAMETOOLONG, f"a path has at most {_MOST_LEVELS} levels and {_MOST_BYTES} bytes", path)
    return path


def parent(path: str) -> str:
    """Returns the directory of a path; that of the root is the root."""
    return path.rpartition("/")[0] or "/"


def name(path: str) -> str:
    """Returns the last component; empty for the root."""
    return path.rpartition("/")[2]


def child(directory: str, entry: str) -> str:
    """Returns the path of an entry of a directory."""
    return "/" + entry if directory == "/" else f"{directory}/{entry}"
