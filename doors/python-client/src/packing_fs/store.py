# SPDX-License-Identifier: Apache-2.0
"""The name by which workers know a mount. It comes from the location of the mount's store."""

from __future__ import annotations

import posixpath
import urllib.parse

import google_crc32c


def worker_name(location: str) -> str:
    """Returns the name: checksum and length of the location's text."""
    text = _normal(location).encode()
    return f"{google_crc32c.value(text):08x}-{len(text)}"


def _normal(location: str) -> str:
    """Returns the location as servers write it."""
    for scheme in ("s3://", "s3a://"):
        if location.startswith(scheme):
            bucket, _, prefix = location[len(scheme) :].partition("/")
            prefix = prefix.strip("/")
            return f"s3://{bucket}/{prefix}" if prefix else f"s3://{bucket}"
    for scheme in ("file://", "file:"):
        if location.startswith(scheme + "/"):
            path = "/" + location[len(scheme) :].strip("/")
            path = urllib.parse.unquote(path) if "%" in path else path
            return "file://" + posixpath.normpath(path)
    raise ValueError(f"option packing.store: '{location}', want s3://bucket/prefix or file:///dir")
