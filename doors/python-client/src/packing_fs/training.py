# SPDX-License-Identifier: Apache-2.0
"""Random epochs over many small files by reads of whole blobs, by a dataset for PyTorch's ``DataLoader``.

It works without PyTorch, too, as an iterable.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from packing_fs import batches, samples
from packing_fs.filesystem import PackingFileSystem
from packing_fs.samples import Samples
from packing_fs.shuffle import BlobShuffle, Piece

if TYPE_CHECKING:
    _Dataset: Any = object
else:
    try:
        # A DataLoader treats only this class as an iterable.
        from torch.utils.data import IterableDataset as _Dataset
    except ImportError:
        _Dataset = object

__all__ = ["BlobShuffle", "Samples", "ShuffledFiles", "locate"]

# The pieces that are read before their samples may be drawn.
_AHEAD = 8

Transform = Callable[[str, bytes], Any]


def locate(fs: PackingFileSystem, files: str | Iterable[str]) -> Samples:
    """Returns the files below a directory, or at some paths, with their places in blobs, by one call for a thousand."""
    if isinstance(files, str):
        return samples.below(fs.client.table, fs._path(files))
    return samples.of(fs.client.table, [fs._path(path) for path in files])


class ShuffledFiles(_Dataset):
    """The files below a directory in a random order by seed and epoch, of which each rank yields its share.

    A worker of packing asks the store once for each blob, whatever its size. Call ``set_epoch`` before each epoch, as
    for PyTorch's samplers. ``state_dict`` and ``load_state_dict`` go on within an epoch; in processes of a DataLoader
    each has its own state, as torchdata's StatefulDataLoader keeps it.

    files: a directory, paths, or what ``locate`` returned
    transform: makes the sample of a path and bytes; without it the sample is a tuple of both
    rank, world: of the process; by default those of the variables RANK and WORLD_SIZE, which torchrun sets
    blobs, buffer_bytes: as of ``BlobShuffle``, in each process of a DataLoader
    on_error: "raise", or "omit" for files that cannot be read
    """

    def __init__(
        self,
        fs: PackingFileSystem,
        files: str | Iterable[str] | Samples,
        transform: Transform | None = None,
        *,
        seed: int = 0,
        rank: int | None = None,
        world: int | None = None,
        blobs: int = 8,
        buffer_bytes: int = 128 << 20,
        on_error: str = "raise",
    ) -> None:
        super().__init__()
        if on_error not in ("raise", "omit"):
            raise ValueError(f"on_error: '{on_error}', want raise or omit")
        self.fs = fs
        self.transform = transform
        self.on_error = on_error
        self.shuffle = BlobShuffle(
            files if isinstance(files, Samples) else locate(fs, files),
            seed=seed,
            rank=int(os.environ.get("RANK", "0")) if rank is None else rank,
            world=int(os.environ.get("WORLD_SIZE", "1")) if world is None else world,
            blobs=blobs,
            buffer_bytes=buffer_bytes,
        )

    def __len__(self) -> int:
        """Returns the samples of an epoch of this rank, those of files that cannot be read included."""
        return len(self.shuffle)

    def set_epoch(self, epoch: int) -> None:
        """Chooses the order of the next iteration, which begins with its first sample."""
        self.shuffle.set_epoch(epoch)

    def state_dict(self) -> dict[str, Any]:
        """Returns the place of the last iteration of this process."""
        share, shares = _share()
        return {**self.shuffle.state_dict(), "share": share, "shares": shares}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Lets the next iteration go on where another one was."""
        share, shares = _share()
        if (state["share"], state["shares"]) != (share, shares):
            raise ValueError(
                f"the state is of process {state['share']} of {state['shares']}, this one is {share} of {shares}"
            )
        self.shuffle.load_state_dict(state)

    def __iter__(self) -> Iterator[Any]:
        # Threads of this iteration: a process that was forked has none of its parent's.
        threads = ThreadPoolExecutor(_AHEAD, "packing-fs-training")
        try:
            for path, found in self._files(threads):
                self.shuffle.position += 1
                if not isinstance(found, Exception):
                    yield (path, found) if self.transform is None else self.transform(path, found)
                elif self.on_error == "raise":
                    raise found
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _files(self, threads: Executor) -> Iterator[tuple[str, batches.Found]]:
        reads = _Reads(self.fs, self.shuffle.samples, threads)
        steps = self.shuffle.steps(*_share())
        coming: deque[Piece | tuple[Piece, int]] = deque()
        ahead = 0
        for step in _left(steps, self.shuffle.begin()):
            coming.append(step)
            if isinstance(step, Piece):
                reads.start(step)
                ahead += 1
            while ahead > _AHEAD:
                played = coming.popleft()
                if isinstance(played, Piece):
                    ahead -= 1
                else:
                    yield reads.take(*played)
        for played in coming:
            if not isinstance(played, Piece):
                yield reads.take(*played)


def _left(steps: Iterator[Piece | tuple[Piece, int]], drawn: int) -> Iterator[Piece | tuple[Piece, int]]:
    """Leaves out the first samples that are drawn, and the reads of them."""
    if drawn == 0:
        yield from steps
        return
    left: dict[Piece, set[int]] = {}
    for step in steps:
        if isinstance(step, Piece):
            left[step] = set(range(len(step.samples)))
            continue
        piece, place = step
        left[piece].remove(place)
        if not left[piece]:
            del left[piece]
        drawn -= 1
        if drawn == 0:
            break
    # The pieces that are begun have only the samples that are left; the places in them are others then.
    places: dict[Piece, tuple[Piece, dict[int, int]]] = {}
    for piece, some in left.items():
        kept = sorted(some)
        rest = Piece(piece.group, [piece.samples[place] for place in kept])
        places[piece] = rest, {place: at for at, place in enumerate(kept)}
        yield rest
    for step in steps:
        if isinstance(step, tuple) and step[0] in places:
            rest, at = places[step[0]]
            yield rest, at[step[1]]
        else:
            yield step


class _Reads:
    """Reads of pieces by threads. Those of a blob come one after the other, by one answer of the store to a worker."""

    def __init__(self, fs: PackingFileSystem, files: Samples, threads: Executor) -> None:
        self._client = fs.client
        self._files = files
        self._threads = threads
        self._last: dict[int, Future[list[batches.Found | None]]] = {}
        self._pending: dict[Piece, Future[list[batches.Found | None]]] = {}
        self._found: dict[Piece, list[batches.Found | None]] = {}
        self._left: dict[Piece, int] = {}

    def start(self, piece: Piece) -> None:
        """Reads a piece, behind others of its blob."""
        future = self._threads.submit(self._read, piece, self._last.get(piece.group))
        self._last[piece.group] = future
        self._pending[piece] = future
        self._left[piece] = len(piece.samples)

    def _read(self, piece: Piece, before: Future[list[batches.Found | None]] | None) -> list[batches.Found | None]:
        if before is not None:
            # Its failure is raised where its samples are taken.
            before.exception()
        paths = [self._files.paths[sample] for sample in piece.samples]
        return [*batches.read_together(self._client, paths)]

    def take(self, piece: Piece, place: int) -> tuple[str, batches.Found]:
        """Returns path and bytes of a sample, once."""
        found = self._found.get(piece)
        if found is None:
            found = self._found[piece] = self._pending.pop(piece).result()
        result = found[place]
        # The buffer of the shuffle counts bytes that are not drawn yet.
        found[place] = None
        self._left[piece] -= 1
        if self._left[piece] == 0:
            del self._found[piece], self._left[piece]
        assert result is not None
        return self._files.paths[piece.samples[place]], result


def _share() -> tuple[int, int]:
    """Returns the number of this process of a DataLoader, and how many there are."""
    torch_data = sys.modules.get("torch.utils.data")
    info = torch_data.get_worker_info() if torch_data is not None else None
    return (0, 1) if info is None else (info.id, info.num_workers)
