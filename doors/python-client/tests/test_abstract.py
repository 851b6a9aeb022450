# SPDX-License-Identifier: Apache-2.0
"""fsspec's own suites for file systems, against real daemons."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

import fsspec.tests.abstract as abstract
import pytest

from packing_fs import PackingFileSystem


class PackingFixtures(abstract.AbstractFixtures):
    """The file system to which the suites apply."""

    @pytest.fixture
    def fs(self, fs: PackingFileSystem) -> PackingFileSystem:
        return fs

    @pytest.fixture
    def fs_path(self, folder: str) -> str:
        return folder

    @pytest.fixture
    def fs_join(self) -> Callable[..., str]:
        return posixpath.join

    @pytest.fixture
    def supports_empty_directories(self) -> bool:
        return True


class TestCopy(abstract.AbstractCopyTests, PackingFixtures):
    """Copies within the mount."""


class TestGet(abstract.AbstractGetTests, PackingFixtures):
    """Copies from the mount to this machine."""


class TestPut(abstract.AbstractPutTests, PackingFixtures):
    """Copies from this machine to the mount."""


class TestOpen(abstract.AbstractOpenTests, PackingFixtures):
    """Files that are opened."""


class TestPipe(abstract.AbstractPipeTests, PackingFixtures):
    """Files that are written whole."""
