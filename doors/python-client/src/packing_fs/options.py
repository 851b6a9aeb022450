# SPDX-License-Identifier: Apache-2.0
"""The options of a client, which are some of those of docs/options.md, by the same names and with the same defaults."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Any

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIZE = re.compile(r"(\d+)\s*(KB|MB|GB|B|)", re.IGNORECASE)
_BYTES = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}

MOST_SPILL_BYTES = 4 << 20
"""The largest file that one message carries."""

_PREFIX = "packing."
# Option without its prefix, and field.
_KEYS = {
    "store": "store",
    "tls.trust": "trust",
    "tls.certificate": "certificate",
    "tls.key": "key",
    "tls.token": "token",
    "master.timeout": "master_timeout",
    "worker.timeout": "worker_timeout",
    "read.peer.timeout": "read_timeout",
    "spill.bytes": "spill_bytes",
}
_ABSENT = {
    "tls.revoked": "gRPC for Python takes no lists of revoked certificates: give the servers certificates of few days",
    "kerberos.principal": "this client does not log in by Kerberos: use a token",
}


@dataclass(frozen=True)
class Options:
    """The options of one client.

    store: location of the mount's store, where the address does not name the mount
    trust, certificate, key, token: files; see docs/security.md
    master_timeout: the longest time for which a call tries to reach a master, in seconds
    worker_timeout: the longest wait for a worker, in seconds
    read_timeout: the longest wait of a read for a worker's answer, in seconds
    spill_bytes: memory of an open file that is written; a larger file goes to its worker in pieces
    """

    store: str = ""
    trust: str = ""
    certificate: str = ""
    key: str = ""
    token: str = ""
    master_timeout: float = 60.0
    worker_timeout: float = 10.0
    read_timeout: float = 10.0
    spill_bytes: int = MOST_SPILL_BYTES

    def __post_init__(self) -> None:
        if bool(self.certificate) != bool(self.key):
            raise ValueError("options packing.tls.certificate and packing.tls.key belong together: set both or none")
        if not self.trust and (self.certificate or self.token):
            raise ValueError(
                "option packing.tls.trust is missing: without it connections are plain, and nothing is shown"
            )
        if not 0 < self.spill_bytes <= MOST_SPILL_BYTES:
            raise ValueError(f"option packing.spill.bytes: {self.spill_bytes}, want 1 to {MOST_SPILL_BYTES}")

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> Options:
        """Reads storage options: ``packing.tls.trust``, or ``tls_trust`` as the name of an argument.

        Raises ValueError for an unknown or malformed option, and names the nearest one.
        """
        values: dict[str, Any] = {}
        for name, value in raw.items():
            key = name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else name.replace("_", ".")
            if key in _ABSENT:
                raise ValueError(f"option {name}: {_ABSENT[key]}")
            field = _KEYS.get(key)
            if field is None:
                raise ValueError(f"unknown option '{name}'{_nearest(key)}")
            values[field] = _parse(name, field, value)
        return cls(**values)


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key, _KEYS, n=1)
    return f", did you mean {_PREFIX}{near[0]}?" if near else f"; there are: {', '.join(_PREFIX + k for k in _KEYS)}"


def _parse(name: str, field: str, value: Any) -> Any:
    if field.endswith("_timeout"):
        return _seconds(name, value)
    if field.endswith("_bytes"):
        return _size(name, value)
    return str(value)


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return float(value)
    found = _DURATION.fullmatch(str(value).strip())
    if found is None:
        raise ValueError(f"option {name}: '{value}', want a duration such as 500ms, 10s or 2m, or a number of seconds")
    return float(found[1]) * _SECONDS[found[2]]


def _size(name: str, value: Any) -> int:
    found = _SIZE.fullmatch(str(value).strip())
    if found is None:
        raise ValueError(f"option {name}: '{value}', want a size such as 512KB or 4MB, or a number of bytes")
    return int(found[1]) * _BYTES[found[2].upper()]
