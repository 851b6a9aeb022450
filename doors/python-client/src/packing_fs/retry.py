# SPDX-License-Identifier: Apache-2.0
"""The repetition of what fails since a server is away."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from packing_fs.errors import BusyError, OtherGroupError, OtherMasterError, UnavailableError

T = TypeVar("T")

_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 2.0
# Masters of a group replace each other within seconds.
_LONGEST_PAUSE_IN_A_GROUP = 0.4
# The most masters to follow in turn without a pause.
_MOST_HOPS = 3


@dataclass(frozen=True)
class Retry:
    """A repetition with pauses that double and have a random part, until a timeout.

    timeout: in seconds
    advice: the end of the message of the failure, for the user
    """

    timeout: float
    advice: str
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random

    def call(self, what: str, attempt: Callable[[float], T]) -> T:
        """Tries at least once. The attempt takes the seconds that are left."""
        deadline = self.clock() + self.timeout
        tries = hops = 0
        longest = _LONGEST_PAUSE
        while True:
            try:
                return attempt(max(0.001, deadline - self.clock()))
            except OtherGroupError:
                # No master of this group has the mount, after any number of tries.
                raise
            except UnavailableError as e:
                tries += 1
                if isinstance(e, OtherMasterError):
                    longest = _LONGEST_PAUSE_IN_A_GROUP
                    if e.leader and hops < _MOST_HOPS:
                        hops += 1
                        continue
                hops = 0
                left = deadline - self.clock()
                if left <= 0:
                    raise UnavailableError(f"{what}: no answer for {self.timeout:g} s ({e}). {self.advice}") from e
                self.sleep(min(left, self._pause(tries, longest, e)))

    def _pause(self, tries: int, longest: float, failure: UnavailableError) -> float:
        if isinstance(failure, BusyError):
            return failure.seconds * (1 + self.random() / 4) + _FIRST_PAUSE * self.random()
        most = min(longest, _FIRST_PAUSE * 2.0 ** min(tries - 1, 30))
        return most * (1 + self.random()) / 2
