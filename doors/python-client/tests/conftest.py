# SPDX-License-Identifier: Apache-2.0
"""A cluster that all tests of a run share; tests that harm servers start their own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from packing_fs import PackingFileSystem
from tests.daemons import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.make_mount()
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def fs(cluster: Cluster) -> PackingFileSystem:
    """The file system of the shared cluster."""
    return PackingFileSystem(cluster.master.address)


@pytest.fixture
def folder(fs: PackingFileSystem) -> str:
    """A new directory of the mount."""
    path = f"/tests/{uuid.uuid4()}"
    fs.makedirs(path)
    return path
