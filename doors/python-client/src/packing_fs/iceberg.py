# SPDX-License-Identifier: Apache-2.0
"""Files of pyiceberg's tables on ``packing://``: the catalog's property ``py-io-impl`` names the class here."""

from __future__ import annotations

from pyiceberg.io import FileIO, InputFile, OutputFile, OutputStream
from pyiceberg.io.fsspec import FsspecInputFile, FsspecOutputFile
from pyiceberg.typedef import EMPTY_DICT, Properties

from packing_fs import paths
from packing_fs.filesystem import PackingFileSystem


class PackingOutputFile(FsspecOutputFile):
    """A file that a table writes."""

    def create(self, overwrite: bool = False) -> OutputStream:
        """Opens the file. Without ``overwrite`` the close fails if another writer has made it."""
        if overwrite:
            return super().create(overwrite=True)
        stream: OutputStream = self._fs.open(self.location, "xb")
        return stream


class PackingFileIO(FileIO):
    """The files of tables at ``packing://HOST:PORT/PATH``.

    properties: of the catalog; those that begin with ``packing.`` are options of docs/python.md
    """

    def __init__(self, properties: Properties = EMPTY_DICT) -> None:
        super().__init__(properties)
        self._options = {key: value for key, value in properties.items() if key.startswith("packing.")}

    def _fs(self, location: str) -> PackingFileSystem:
        # fsspec keeps one for each mount.
        return PackingFileSystem(paths.authority(location), **self._options)

    def new_input(self, location: str) -> FsspecInputFile:
        """Returns a file to read."""
        return FsspecInputFile(location, self._fs(location))

    def new_output(self, location: str) -> PackingOutputFile:
        """Returns a file to write."""
        return PackingOutputFile(location, self._fs(location))

    def delete(self, location: str | InputFile | OutputFile) -> None:
        """Deletes a file."""
        path = location if isinstance(location, str) else location.location
        self._fs(path).rm_file(path)
