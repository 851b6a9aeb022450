# SPDX-License-Identifier: Apache-2.0
"""A random order of files that a reader of whole blobs can follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from packing_fs.samples import Samples

# What a worker reads for one request. A request that is made to measure has one answer.
PIECE_BYTES = int((4 << 20) * 0.95)
_PIECE_FILES = 1_000
_PIECE_CHARACTERS = 250_000


@dataclass(eq=False)
class Piece:
    """Files that lie one after the other in a blob, and are read together.

    group: number of the blob
    samples: places of the files in ``Samples.paths``
    """

    group: int
    samples: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class _Run:
    """Some files of a blob, from one of its order up to another."""

    group: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


def _cut(runs: list[_Run], start: int, stop: int) -> list[_Run]:
    """Returns the files of runs from one up to another."""
    found = []
    at = 0
    for run in runs:
        first, last = max(start, at), min(stop, at + len(run))
        if first < last:
            found.append(_Run(run.group, run.start + first - at, run.start + last - at))
        at += len(run)
    return found


class BlobShuffle:
    """A sampler of PyTorch's form: it yields the places of files in ``Samples.paths``, in an order by seed and epoch.

    The blobs are shuffled. Some of them are read at a time, each in its own order, into a buffer, of which each next
    sample is drawn. So the samples of a batch come from several blobs, and each blob is read once. Each rank has an
    equal number of samples: a rank with one sample less than others repeats one.

    seed: of all epochs; equal seeds give equal orders on all ranks
    blobs: how many blobs are read at a time
    buffer_bytes: bytes of the files among which the next sample is drawn
    """

    def __init__(
        self,
        samples: Samples,
        *,
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        blobs: int = 8,
        buffer_bytes: int = 128 << 20,
    ) -> None:
        if not 0 <= rank < world:
            raise ValueError(f"rank {rank} of {world}: want 0 to {world - 1}")
        if blobs < 1 or buffer_bytes < 1:
            raise ValueError(f"{blobs} blobs, {buffer_bytes} bytes: want at least one of each")
        self.samples = samples
        self.seed = seed
        self.rank = rank
        self.world = world
        self.blobs = blobs
        self.buffer_bytes = buffer_bytes
        self.epoch = 0
        self.position = 0
        self._start = 0

    def __len__(self) -> int:
        return -(-len(self.samples) // self.world)

    def set_epoch(self, epoch: int) -> None:
        """Chooses the order of the next iteration, which begins with its first sample."""
        self.epoch = epoch
        self.position = self._start = 0

    def state_dict(self) -> dict[str, Any]:
        """Returns the place of the last iteration, for ``load_state_dict``."""
        return {"epoch": self.epoch, "position": self.position, "terms": self._terms()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Lets the next iteration go on behind the samples that another one has yielded."""
        if state["terms"] != self._terms():
            raise ValueError(f"the state is of another order: {state['terms']}, this one is {self._terms()}")
        self.epoch = state["epoch"]
        self.position = self._start = state["position"]

    def _terms(self) -> dict[str, int]:
        return {
            "seed": self.seed,
            "files": len(self.samples),
            "groups": len(self.samples.groups),
            "rank": self.rank,
            "world": self.world,
            "blobs": self.blobs,
            "buffer_bytes": self.buffer_bytes,
        }

    def begin(self) -> int:
        """Returns how many samples the iteration that begins now leaves out."""
        start, self._start = self._start, 0
        self.position = start
        return start

    def __iter__(self) -> Iterator[int]:
        draws = (step for step in self.steps() if isinstance(step, tuple))
        for piece, place in islice(draws, self.begin(), None):
            self.position += 1
            yield piece.samples[place]

    def steps(self, share: int = 0, shares: int = 1) -> Iterator[Piece | tuple[Piece, int]]:
        """Yields the pieces of an epoch before the samples drawn of them: a piece, and the place of the sample in it.

        share, shares: part of the rank's samples, for one of several processes
        """
        random = Random(f"{self.seed} {self.epoch} {self.rank} {self.world} {share} {shares}")
        waiting = [self._pieces(run) for run in reversed(self._runs(share, shares))]
        opened: list[Iterator[Piece]] = []
        buffer: list[tuple[Piece, int]] = []
        buffered = 0
        sizes = self.samples.sizes
        draw = random.random
        while True:
            while buffered < self.buffer_bytes and (opened or waiting):
                while waiting and len(opened) < self.blobs:
                    opened.append(waiting.pop())
                chosen = random.randrange(len(opened))
                piece = next(opened[chosen], None)
                if piece is None:
                    opened[chosen] = opened[-1]
                    opened.pop()
                    continue
                yield piece
                buffer += ((piece, place) for place in range(len(piece.samples)))
                buffered += sum(sizes[sample] for sample in piece.samples)
            if not buffer:
                return
            # As good as randrange for so few, in a tenth of its time: it is asked for each sample.
            chosen = int(draw() * len(buffer))
            drawn = buffer[chosen]
            buffer[chosen] = buffer[-1]
            buffer.pop()
            buffered -= sizes[drawn[0].samples[drawn[1]]]
            yield drawn

    def _runs(self, share: int, shares: int) -> list[_Run]:
        """Returns the parts of blobs that are read for a share, in the order of the epoch."""
        order = list(range(len(self.samples.groups)))
        # All ranks and shares have this order.
        Random(f"{self.seed} {self.epoch}").shuffle(order)
        runs = [_Run(group, 0, len(self.samples.groups[group])) for group in order]
        total = len(self.samples)
        if total == 0:
            return []
        start, stop = total * self.rank // self.world, total * (self.rank + 1) // self.world
        mine = _cut(runs, start, stop)
        if stop - start < len(self):
            again = min(start, total - 1)
            mine += _cut(runs, again, again + 1)
        count = len(self)
        return _cut(mine, count * share // shares, count * (share + 1) // shares)

    def _pieces(self, run: _Run) -> Iterator[Piece]:
        piece = Piece(run.group)
        left, characters = PIECE_BYTES, _PIECE_CHARACTERS
        for sample in self.samples.groups[run.group][run.start : run.stop]:
            left -= self.samples.sizes[sample]
            characters -= len(self.samples.paths[sample])
            if piece.samples and (left < 0 or characters < 0 or len(piece.samples) == _PIECE_FILES):
                yield piece
                piece = Piece(run.group)
                left = PIECE_BYTES - self.samples.sizes[sample]
                characters = _PIECE_CHARACTERS - len(self.samples.paths[sample])
            piece.samples.append(sample)
        if piece.samples:
            yield piece
