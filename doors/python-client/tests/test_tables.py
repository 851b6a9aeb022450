# SPDX-License-Identifier: Apache-2.0
"""pyiceberg's tables on a mount, by packing_fs.iceberg, with its catalog in a database of the test."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from packing_fs import PackingFileSystem
from tests.daemons import Cluster

pyiceberg = pytest.importorskip("pyiceberg", reason="pyiceberg is missing: pip install 'pyiceberg[sql-sqlite]'")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is missing: pip install pyarrow")
pytest.importorskip("sqlalchemy", reason="sqlalchemy is missing: pip install 'pyiceberg[sql-sqlite]'")

from pyiceberg.catalog.sql import SqlCatalog  # noqa: E402
from pyiceberg.exceptions import CommitFailedException  # noqa: E402
from pyiceberg.table import StaticTable  # noqa: E402
from pyiceberg.types import StringType  # noqa: E402

from packing_fs.iceberg import PackingFileIO  # noqa: E402

Open = Callable[[], SqlCatalog]
RACES = 5


@pytest.fixture
def lake(cluster: Cluster, folder: str, tmp_path: Path) -> Open:
    """Opens a catalog, as each program does."""
    properties = {
        "uri": f"sqlite:///{tmp_path}/catalog.db?timeout=120",
        "warehouse": f"{cluster.url}{folder}",
        "py-io-impl": "packing_fs.iceberg.PackingFileIO",
    }

    def open_catalog() -> SqlCatalog:
        return SqlCatalog("lake", **properties)

    open_catalog().create_namespace("shop")
    return open_catalog


def rows(*numbers: int, name: str = "new") -> Any:
    schema = pyarrow.schema([pyarrow.field("id", pyarrow.int64(), nullable=False), ("name", pyarrow.string())])
    return pyarrow.table({"id": list(numbers), "name": [name] * len(numbers)}, schema=schema)


def listed(table: Any) -> list[tuple[int, str]]:
    return sorted((row["id"], row["name"]) for row in table.scan().to_arrow().to_pylist())


def test_a_table_is_made_changed_and_shortened(lake: Open, fs: PackingFileSystem) -> None:
    table = lake().create_table("shop.orders", rows().schema)
    table.append(rows(1, 2, 3))
    table.append(rows(4))
    first = table.current_snapshot()
    assert first is not None
    table.overwrite(rows(2, name="other"), overwrite_filter="id == 2")
    changed = table.upsert(rows(3, 5, name="upserted"), join_cols=["id"])
    assert (changed.rows_updated, changed.rows_inserted) == (1, 1)
    table.delete("id == 1")
    with table.update_schema() as update:
        update.add_column("note", StringType())

    again = lake().load_table("shop.orders")
    want = [(2, "other"), (3, "upserted"), (4, "new"), (5, "upserted")]
    assert listed(again) == want
    assert again.scan().to_arrow().column_names == ["id", "name", "note"]
    assert again.scan(snapshot_id=first.snapshot_id).to_arrow().num_rows == 4

    again.maintenance.expire_snapshots().older_than(datetime.now() + timedelta(days=1)).commit()
    assert len(again.snapshots()) == 1
    assert listed(lake().load_table("shop.orders")) == want

    # A program without the catalog reads a version by its file.
    assert listed(StaticTable.from_metadata(again.metadata_location, again.io.properties)) == want
    assert again.metadata_location.startswith("packing://")
    lake().purge_table("shop.orders")
    assert not fs.exists(again.metadata_location)


def test_of_two_committers_one_wins_each_race(lake: Open) -> None:
    # A writer tries once: a conflict is counted, and not hidden by retries.
    lake().create_table("shop.races", rows().schema, properties={"commit.retry.num-retries": "0"})
    barrier = Barrier(2)

    def write(writer: int) -> int:
        catalog = lake()
        lost = 0
        for race in range(RACES):
            table = catalog.load_table("shop.races")
            barrier.wait()
            while True:
                try:
                    table.append(rows(2 * race + writer))
                    break
                except CommitFailedException:
                    lost += 1
                    table.refresh()
        return lost

    with ThreadPoolExecutor(2) as pool:
        lost = sum(pool.map(write, range(2)))
    table = lake().load_table("shop.races")
    assert [number for number, _ in listed(table)] == list(range(2 * RACES))
    assert len(table.snapshots()) == 2 * RACES
    # Both loaded one version before each race.
    assert lost >= RACES


def test_a_file_is_made_once_and_the_class_goes_to_other_processes(cluster: Cluster, folder: str) -> None:
    files = pickle.loads(pickle.dumps(PackingFileIO({"packing.worker.timeout": "20s", "owner": "alice"})))
    location = f"{cluster.url}{folder}/file"
    first, second = files.new_output(location).create(), files.new_output(location).create()
    first.write(b"first")
    second.write(b"second")
    first.close()
    with pytest.raises(FileExistsError):
        second.close()
    with files.new_input(location).open() as stream:
        assert stream.read() == b"first"
    with pytest.raises(FileExistsError):
        files.new_output(location).create()
    with files.new_output(location).create(overwrite=True) as stream:
        stream.write(b"third")
    assert len(files.new_input(location)) == 5
    files.delete(files.new_input(location))
    assert not files.new_output(location).exists()
