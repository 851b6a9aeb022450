# SPDX-License-Identifier: Apache-2.0
"""The master of a mount: one of several, perhaps of several groups."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from packing_fs.address import Address, with_port
from packing_fs.channels import Channels, Method, of_master
from packing_fs.errors import MountNotOpenError, OtherGroupError, OtherMasterError, UnavailableError
from packing_fs.options import Options
from packing_fs.protocol import bdt_pb2
from packing_fs.retry import Retry
from packing_fs.status import to_error
from packing_fs.store import worker_name

Reply = TypeVar("Reply", bound=Message)

# The longest time of one attempt, so that a half-dead connection is given up; shorter with other masters to ask.
_ATTEMPT = 30.0
_ATTEMPT_OF_SEVERAL = 10.0
# The most addresses of a group, since masters may name further ones.
_MOST_ADDRESSES = 16
# The most groups to which one call follows a mount.
_MOST_MOVES = 8
_MOST_REOPENINGS = 3

_OPEN = of_master("Open", bdt_pb2.OpenReply)


class MasterGroup:
    """Masters at some addresses: the last that answered, one that it named, or the next after a failure.

    Thread-safe.
    """

    def __init__(self, addresses: list[str], channels: Channels, options: Options) -> None:
        self._addresses = list(addresses)
        self._channels = channels
        self._current = 0
        self._lock = threading.Lock()
        self._retry = Retry(
            options.master_timeout,
            f"Check that the BDT master at {', '.join(addresses)} runs, that the address is reachable from here, and"
            " that packing.tls.trust is set here if and only if that master has TLS.",
        )

    def call(self, what: str, method: Method[Message, Reply], request: Message) -> Reply:
        """Calls the master that answers."""
        return self._retry.call(what, lambda left: self._once(left, method, request))

    def _once(self, left: float, method: Method[Message, Reply], request: Message) -> Reply:
        address = self._addresses[self._current]
        limit = _ATTEMPT if len(self._addresses) == 1 else _ATTEMPT_OF_SEVERAL
        channel = self._channels.to(address)
        try:
            return self._channels.unary(channel, method, request, min(left, limit))
        except grpc.RpcError as e:
            failure = to_error(e, f"master at {address}")
            if isinstance(failure, UnavailableError):
                self._leave(address, channel, failure)
            raise failure from e

    def _leave(self, address: str, channel: grpc.Channel, why: UnavailableError) -> None:
        if not isinstance(why, OtherMasterError | OtherGroupError):
            self._channels.renew(address, channel)
        with self._lock:
            # Many calls may fail together, and the first of them goes on.
            if self._addresses[self._current] != address or isinstance(why, OtherGroupError):
                return
            named = self._named(why.leader) if isinstance(why, OtherMasterError) else None
            self._current = (self._current + 1) % len(self._addresses) if named is None else named

    def _named(self, leader: str) -> int | None:
        try:
            address = with_port(leader)
        except ValueError:
            return None
        if address not in self._addresses and len(self._addresses) < _MOST_ADDRESSES:
            self._addresses.append(address)
        return self._addresses.index(address) if address in self._addresses else None


class Mount:
    """The calls to the master about one mount. It opens the mount again after a restart of the master.

    Thread-safe.
    """

    def __init__(self, address: Address, channels: Channels, options: Options) -> None:
        self._channels = channels
        self._options = options
        self._home = self._group = MasterGroup(list(address.masters), channels, options)
        self._groups: dict[tuple[str, ...], MasterGroup] = {address.masters: self._home}
        if options.store and address.mount:
            raise ValueError("the mount is named twice: in the URL, and by packing.store. Leave out one of them")
        stores = {"packing.store": options.store} if options.store else {}
        self._request = bdt_pb2.OpenRequest(options=stores, mount=address.mount)
        self._id = ""
        self._worker_name = ""
        self._open()

    @property
    def worker_name(self) -> str:
        """The mount's name at workers."""
        return self._worker_name

    def new_request(self) -> int:
        """Returns a number for a change, so that the master does not execute it twice when it is repeated."""
        return random.getrandbits(63) | 1

    def call(self, what: str, method: Method[Message, Reply], request: Callable[[str], Message]) -> Reply:
        """Calls the master of the mount; the request takes the mount's name."""
        reopened = moves = 0
        while True:
            group = self._group
            try:
                return group.call(what, method, request(self._id))
            except MountNotOpenError as e:
                reopened += 1
                if reopened > _MOST_REOPENINGS:
                    raise UnavailableError(f"{what}: {e}") from e
                self._open()
            except OtherGroupError as e:
                moves += 1
                self._follow(e, moves)
            except UnavailableError:
                # The group may be gone for good, with the mount elsewhere: the next call asks the first group.
                self._group = self._home
                raise

    def _open(self) -> None:
        moves = 0
        while True:
            try:
                reply = self._group.call("open", _OPEN, self._request)
                self._id = reply.mount
                self._worker_name = worker_name(self._options.store or reply.store.get("packing.store", ""))
            except MountNotOpenError as e:
                raise FileNotFoundError(f"there is no mount {self._request.mount}: {e}") from e
            except OtherGroupError as e:
                moves += 1
                self._follow(e, moves)
            else:
                # An operator may change the mount's options later, while clients use it.
                self._request.again = True
                return

    def _follow(self, moved: OtherGroupError, moves: int) -> None:
        if moves > _MOST_MOVES or not moved.addresses:
            raise UnavailableError(f"the groups of masters send this client from one to the other: {moved}") from moved
        key = tuple(with_port(address) for address in moved.addresses)
        if key not in self._groups:
            self._groups[key] = MasterGroup(list(key), self._channels, self._options)
        self._group = self._groups[key]
