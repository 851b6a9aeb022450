# SPDX-License-Identifier: Apache-2.0
"""Connections to servers, with TLS and tokens by the options, and the calls over them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

import grpc
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message

from packing_fs.options import Options
from packing_fs.protocol import bdt_pb2, peer_pb2

# The text of a token: base64url.
_TOKEN = re.compile("[A-Za-z0-9_-]+=*")

Request = TypeVar("Request", bound=Message)
Reply = TypeVar("Reply", bound=Message)

# The largest answer of a master: the extents of a file of 4 TB.
_MOST_ANSWER_BYTES = 64 << 20
# Servers permit pings from this time on. A dead server is noticed within twice as long.
_KEEPALIVE_MILLIS = 10_000


@dataclass(frozen=True)
class Method(Generic[Request, Reply]):
    """A method of a service.

    path: as gRPC has it, ``/SERVICE/METHOD``
    reply: class of its answers
    """

    path: str
    reply: type[Reply]


def _method(file: FileDescriptor, service: str, name: str, reply: type[Reply]) -> Method[Message, Reply]:
    found = file.services_by_name[service].methods_by_name[name]
    return Method(f"/{found.containing_service.full_name}/{found.name}", reply)


def of_master(name: str, reply: type[Reply]) -> Method[Message, Reply]:
    """Returns a method of masters."""
    return _method(bdt_pb2.DESCRIPTOR, "Bdt", name, reply)


def of_worker(name: str, reply: type[Reply]) -> Method[Message, Reply]:
    """Returns a method of workers."""
    return _method(peer_pb2.DESCRIPTOR, "Peer", name, reply)


class Channels:
    """One connection to each server. It reads the files of TLS when it connects, and a token's file with each call.

    Thread-safe.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._open: dict[str, grpc.Channel] = {}

    def to(self, address: str) -> grpc.Channel:
        """Returns the connection to a server; it connects with its first call."""
        with self._lock:
            channel = self._open.get(address)
            if channel is None:
                channel = self._open[address] = self._connect(address)
            return channel

    def renew(self, address: str, failed: grpc.Channel) -> None:
        """Replaces a connection that failed, since it would go on failing for a while when the server is back."""
        with self._lock:
            if self._open.get(address) is failed:
                # Not closed here: other threads may have calls on it, and it goes with the last of them.
                del self._open[address]

    def _connect(self, address: str) -> grpc.Channel:
        settings: list[tuple[str, int | str]] = [
            ("grpc.max_receive_message_length", _MOST_ANSWER_BYTES),
            ("grpc.max_send_message_length", _MOST_ANSWER_BYTES),
            ("grpc.keepalive_time_ms", _KEEPALIVE_MILLIS),
            ("grpc.keepalive_timeout_ms", _KEEPALIVE_MILLIS),
            ("grpc.http2.max_pings_without_data", 0),
            # This module repeats calls, and a proxy for the web does not lead to servers of a cluster.
            ("grpc.enable_retries", 0),
            ("grpc.enable_http_proxy", 0),
            # Each of these objects has connections of its own, so that a renewed one is a new one.
            ("grpc.use_local_subchannel_pool", 1),
        ]
        target = f"dns:///{address}"
        if not self._options.trust:
            return grpc.insecure_channel(target, settings)
        return grpc.secure_channel(target, self._credentials(), settings)

    def _credentials(self) -> grpc.ChannelCredentials:
        options = self._options
        return grpc.ssl_channel_credentials(
            _file("packing.tls.trust", options.trust),
            _file("packing.tls.key", options.key) if options.key else None,
            _file("packing.tls.certificate", options.certificate) if options.certificate else None,
        )

    def _metadata(self) -> tuple[tuple[str, str], ...] | None:
        # The options refuse a token without TLS, so that no plain connection carries it.
        if not self._options.token:
            return None
        token = _file("packing.tls.token", self._options.token).decode("ascii", "replace").strip()
        if _TOKEN.fullmatch(token) is None:
            raise ValueError(f"option packing.tls.token: {self._options.token} has no token")
        return (("authorization", f"Bearer {token}"),)

    def unary(self, channel: grpc.Channel, method: Method[Message, Reply], request: Message, timeout: float) -> Reply:
        """Sends one message, and returns one."""
        call = channel.unary_unary(method.path, _serialize, method.reply.FromString)
        return cast(Reply, call(request, timeout=timeout, metadata=self._metadata()))

    def stream(
        self, channel: grpc.Channel, method: Method[Message, Reply], request: Message, timeout: float
    ) -> Iterator[Reply]:
        """Sends one message, and returns those that answer it."""
        call = channel.unary_stream(method.path, _serialize, method.reply.FromString)
        return cast(Iterator[Reply], call(request, timeout=timeout, metadata=self._metadata()))

    def converse(
        self, channel: grpc.Channel, method: Method[Message, Reply], requests: Iterable[Message]
    ) -> Iterator[Reply]:
        """Sends some messages, and returns those that answer them. Answers may take long; a dead server ends it."""
        call = channel.stream_stream(method.path, _serialize, method.reply.FromString)
        return cast(Iterator[Reply], call(iter(requests), metadata=self._metadata()))

    def upload(
        self, channel: grpc.Channel, method: Method[Message, Reply], requests: Iterable[Message]
    ) -> grpc.CallFuture[Reply]:
        """Sends some messages, which one answers."""
        call = channel.stream_unary(method.path, _serialize, method.reply.FromString)
        return cast("grpc.CallFuture[Reply]", call.future(iter(requests), metadata=self._metadata()))

    def close(self) -> None:
        """Ends all connections, with the calls over them."""
        with self._lock:
            for channel in self._open.values():
                channel.close()
            self._open.clear()


def _serialize(message: Message) -> bytes:
    return message.SerializeToString()


def _file(option: str, name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as e:
        raise ValueError(f"option {option}: {name} cannot be read: {e.strerror}") from e
