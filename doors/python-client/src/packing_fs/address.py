# SPDX-License-Identifier: Apache-2.0
"""The authority of a URL: ``[MOUNT@]HOST[:PORT][,HOST[:PORT]…]``."""

from __future__ import annotations

import re
from dataclasses import dataclass

PORT = 19990
"""The port of a master that does not choose another one."""

_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\[\]:,@/\s]+)(?::(\d{1,5}))?")


@dataclass(frozen=True)
class Address:
    """The masters of a mount, of which one answers.

    mount: name or id; empty: the only mount of the masters
    masters: each as host:port
    """

    mount: str
    masters: tuple[str, ...]

    @classmethod
    def parse(cls, authority: str) -> Address:
        """Reads an authority; ValueError if it names no master."""
        mount, _, masters = authority.rpartition("@")
        return cls(mount, tuple(with_port(master) for master in masters.split(",")))


def with_port(master: str) -> str:
    """Returns the address of a master with its port; ValueError if it is none."""
    found = _HOST.fullmatch(master)
    port = PORT if found is None or found[2] is None else int(found[2])
    if found is None or not 0 < port < 65_536:
        raise ValueError(f"bad address '{master}' of a master, want packing://HOST:PORT/PATH")
    return f"{found[1]}:{port}"
