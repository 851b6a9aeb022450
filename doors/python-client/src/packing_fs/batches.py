# SPDX-License-Identifier: Apache-2.0
"""Reads of many small files by few requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from packing_fs.client import Client


def read(client: Client, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Exception]]:
    """Yields path and bytes of each file, or why it cannot be read."""
    for path in paths:
        try:
            reader = client.open(path)
            yield path, reader.read(0, reader.size)
        except (OSError, ValueError) as e:
            yield path, e
