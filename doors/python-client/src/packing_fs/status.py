# SPDX-License-Identifier: Apache-2.0
"""The one place where gRPC's status codes become exceptions; docs/bdt-protocol.md has the table."""

from __future__ import annotations

import errno
from collections.abc import Iterable

import grpc

from packing_fs.errors import (
    ERRNO,
    BusyError,
    MountNotOpenError,
    OtherGroupError,
    OtherMasterError,
    UnavailableError,
    UnknownCallError,
    UntrustedError,
)

_LONGEST_PUSHBACK_SECONDS = 60.0
_RETRIED = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)
# How OpenSSL's failures of a handshake stand in gRPC's messages, and gRPC's own about names in certificates.
_UNTRUSTED = ("SSL_ERROR_SSL", "CERTIFICATE_VERIFY_FAILED", "is not in peer certificate", "Verification Check failed")


def code_of(failure: grpc.RpcError) -> grpc.StatusCode:
    """Returns the code of a failed call."""
    return failure.code() if isinstance(failure, grpc.Call) else grpc.StatusCode.UNKNOWN


def details_of(failure: grpc.RpcError) -> str:
    """Returns the server's words, or those of gRPC."""
    words = failure.details() if isinstance(failure, grpc.Call) else str(failure)
    return words or str(code_of(failure))


def to_error(failure: grpc.RpcError, server: str) -> Exception:
    """Returns the exception for a failed call to a server."""
    code = code_of(failure)
    words = f"{server}: {details_of(failure)}"
    trailers = _trailers(failure)
    if code == grpc.StatusCode.UNAVAILABLE:
        return _unavailable(words, trailers)
    if code == grpc.StatusCode.RESOURCE_EXHAUSTED and "grpc-retry-pushback-ms" in trailers:
        return BusyError(words, _pushback(trailers["grpc-retry-pushback-ms"]))
    if code in _RETRIED:
        return UnavailableError(words)
    if code == grpc.StatusCode.NOT_FOUND:
        return MountNotOpenError(words)
    if code in (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED):
        return PermissionError(errno.EACCES, details_of(failure))
    if code == grpc.StatusCode.INVALID_ARGUMENT:
        return ValueError(words)
    if code == grpc.StatusCode.UNIMPLEMENTED:
        return UnknownCallError(errno.ENOSYS, f"{words}: the server is of an older version; update it")
    if trailers.get("packing-failure") in ("NAMES_QUOTA", "BYTES_QUOTA"):
        return OSError(ERRNO[trailers["packing-failure"]][0], details_of(failure))
    return OSError(errno.EIO, words)


def _unavailable(words: str, trailers: dict[str, str]) -> Exception:
    if "packing-group" in trailers:
        addresses = trailers["packing-group"].partition(" ")[2]
        return OtherGroupError(words, [address for address in addresses.split(",") if address])
    if "packing-leader" in trailers:
        return OtherMasterError(words, trailers["packing-leader"])
    if any(sign in words for sign in _UNTRUSTED):
        return UntrustedError(f"no trusted connection: {words}")
    return UnavailableError(words)


def _trailers(failure: grpc.RpcError) -> dict[str, str]:
    found: Iterable[tuple[str, str | bytes]] = ()
    if isinstance(failure, grpc.Call):
        found = failure.trailing_metadata() or ()
    return {key: value for key, value in found if isinstance(value, str)}


def _pushback(millis: str) -> float:
    return min(int(millis) / 1000, _LONGEST_PUSHBACK_SECONDS) if millis.isdigit() else 0.0
