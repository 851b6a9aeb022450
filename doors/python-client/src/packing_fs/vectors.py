# SPDX-License-Identifier: Apache-2.0
"""Operations of a vector, which happen together or not at all, and its preconditions. None of them copies a byte."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from packing_fs import paths
from packing_fs.protocol import bdt_pb2

_Message: TypeAlias = bdt_pb2.OperationMessage


def _read(path: str) -> str:
    """Returns the path of an entry that may be in a snapshot, or a scratch file."""
    path = paths.strip(path)
    return path if path.startswith(paths.SCRATCH + "/") else paths.checked(path)


def _changed(path: str) -> str:
    """Returns the path of an entry that is made or changed."""
    path = paths.strip(path)
    return path if path.startswith(paths.SCRATCH + "/") else paths.creatable(path)


@dataclass(frozen=True)
class AttributeChange:
    """New values of attributes; None leaves a value.

    mode: as of chmod
    mtime: seconds since 1970
    extended: values of extended attributes by name; None as a value removes the attribute
    """

    owner: str | None = None
    group: str | None = None
    mode: int | None = None
    mtime: float | None = None
    extended: dict[str, bytes | None] = field(default_factory=dict)


def attributes_message(change: AttributeChange) -> bdt_pb2.AttributeChangeMessage:
    """Returns the message of a change."""
    millis = None if change.mtime is None else int(change.mtime * 1000)
    message = bdt_pb2.AttributeChangeMessage(
        owner=change.owner, group=change.group, mode=change.mode, mtime_millis=millis
    )
    step = bdt_pb2.ExtraChangeMessage.Step
    for name, value in change.extended.items():
        kind = step.REMOVE if value is None else step.PUT
        message.extra.extended.append(step(kind=kind, name=name, value=value or b""))
    return message


@dataclass(frozen=True)
class SameVersion:
    """The precondition that a file is the one that the caller has seen: ``info(path)["version"]``."""

    path: str
    version: tuple[int, int]

    def message(self) -> bdt_pb2.PreconditionMessage:
        """Returns the precondition's message."""
        version = bdt_pb2.Version(id=self.version[0], generation=self.version[1])
        return bdt_pb2.PreconditionMessage(path=_read(self.path), version=version)


@dataclass(frozen=True)
class Absent:
    """The precondition that nothing is at a path."""

    path: str

    def message(self) -> bdt_pb2.PreconditionMessage:
        """Returns the precondition's message."""
        return bdt_pb2.PreconditionMessage(path=_read(self.path))


@dataclass(frozen=True)
class CloneRange:
    """Puts bytes of one file over those of another, from an offset of that on. Both share them then."""

    source: str
    offset: int
    length: int
    destination: str
    at: int

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(clone_range=_to_range(self))


@dataclass(frozen=True)
class MoveRange:
    """Puts bytes of one file over those of another, and leaves zeros in their place."""

    source: str
    offset: int
    length: int
    destination: str
    at: int

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(move_range=_to_range(self))


def _to_range(range: CloneRange | MoveRange) -> _Message.ToRange:
    source = bdt_pb2.RangeMessage(path=_read(range.source), offset=range.offset, length=range.length)
    return _Message.ToRange(source=source, destination=_changed(range.destination), at=range.at)


@dataclass(frozen=True)
class DeleteRange:
    """Takes bytes out of a file, which reads as zeros there; at its end it becomes shorter."""

    path: str
    offset: int
    length: int

    def message(self) -> _Message:
        """Returns the operation's message."""
        range = bdt_pb2.RangeMessage(path=_changed(self.path), offset=self.offset, length=self.length)
        return _Message(delete_range=range)


@dataclass(frozen=True)
class Truncate:
    """Gives a file another length; added bytes are zeros."""

    path: str
    length: int

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(truncate=_Message.Truncate(path=_changed(self.path), length=self.length))


@dataclass(frozen=True)
class CloneFile:
    """Makes a file that shares the bytes of another one, and has its attributes where no change is asked for."""

    source: str
    destination: str
    overwrite: bool = False
    change: AttributeChange = AttributeChange()

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(
            clone_file=_Message.CloneFile(
                source=_read(self.source),
                destination=_changed(self.destination),
                overwrite=self.overwrite,
                change=attributes_message(self.change),
            )
        )


@dataclass(frozen=True)
class Rename:
    """Gives a file or directory another path. With overwrite a file takes the place of a file."""

    source: str
    destination: str
    overwrite: bool = False

    def message(self) -> _Message:
        """Returns the operation's message."""
        renames = _Message.Rename(to=_changed(self.destination), overwrite=self.overwrite)
        # "from" is a word of Python.
        setattr(renames, "from", _changed(self.source))
        return _Message(rename=renames)


@dataclass(frozen=True)
class Delete:
    """Deletes a file, or a directory with all that is in it."""

    path: str
    recursive: bool = False

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(delete=_Message.Delete(path=_changed(self.path), recursive=self.recursive))


@dataclass(frozen=True)
class MakeDirectory:
    """Makes a directory."""

    path: str
    owner: str = ""
    group: str = ""
    mode: int = 0o755
    create_parents: bool = True

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(
            make_directory=_Message.MakeDirectory(
                path=_changed(self.path),
                owner=self.owner,
                group=self.group,
                mode=self.mode,
                create_parents=self.create_parents,
            )
        )


@dataclass(frozen=True)
class SetAttributes:
    """Changes attributes of a file or directory."""

    path: str
    change: AttributeChange

    def message(self) -> _Message:
        """Returns the operation's message."""
        change = attributes_message(self.change)
        return _Message(set_attributes=_Message.SetAttributes(path=_changed(self.path), change=change))


@dataclass(frozen=True)
class CreateFile:
    """Makes an empty file."""

    path: str
    change: AttributeChange = AttributeChange()
    overwrite: bool = False

    def message(self) -> _Message:
        """Returns the operation's message."""
        change = attributes_message(self.change)
        return _Message(
            create_file=_Message.CreateFile(path=_changed(self.path), change=change, overwrite=self.overwrite)
        )


@dataclass(frozen=True)
class Link:
    """Gives a file another name, where nothing is."""

    file: str
    name: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(link=_Message.Link(file=_changed(self.file), name=_changed(self.name)))


@dataclass(frozen=True)
class MergeDirectory:
    """Moves all that is in a directory into another one."""

    source: str
    destination: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        merges = _Message.MergeDirectory(to=_changed(self.destination))
        setattr(merges, "from", _changed(self.source))
        return _Message(merge_directory=merges)


@dataclass(frozen=True)
class TakeSnapshot:
    """Keeps the present content of a directory readable at ``DIRECTORY/.snapshot/NAME``."""

    directory: str
    name: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(take_snapshot=_Message.Snapshot(directory=_changed(self.directory), name=self.name))


@dataclass(frozen=True)
class DropSnapshot:
    """Gives a snapshot up."""

    directory: str
    name: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        return _Message(drop_snapshot=_Message.Snapshot(directory=_changed(self.directory), name=self.name))


@dataclass(frozen=True)
class RenameSnapshot:
    """Gives a snapshot another name."""

    directory: str
    source: str
    destination: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        renames = _Message.RenameSnapshot(directory=_changed(self.directory), to=self.destination)
        setattr(renames, "from", self.source)
        return _Message(rename_snapshot=renames)


@dataclass(frozen=True)
class CloneDirectory:
    """Makes a directory that shows another one, or one of a snapshot, until either changes."""

    source: str
    destination: str

    def message(self) -> _Message:
        """Returns the operation's message."""
        clones = _Message.CloneDirectory(source=_read(self.source), destination=_changed(self.destination))
        return _Message(clone_directory=clones)


Precondition: TypeAlias = SameVersion | Absent
Operation: TypeAlias = (
    CloneRange
    | MoveRange
    | DeleteRange
    | Truncate
    | CloneFile
    | Rename
    | Delete
    | MakeDirectory
    | SetAttributes
    | CreateFile
    | Link
    | MergeDirectory
    | TakeSnapshot
    | DropSnapshot
    | RenameSnapshot
    | CloneDirectory
)
