# SPDX-License-Identifier: Apache-2.0
"""Table formats through gateways: delta-rs commits by a PUT with a condition, pyiceberg by its catalog."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from conftest import KEY, SECRET, Gateways

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is missing: pip install pyarrow")
RACES = 5


def rows(*numbers: int) -> Any:
    """A table of numbers."""
    schema = pyarrow.schema([pyarrow.field("id", pyarrow.int64(), nullable=False), ("name", pyarrow.string())])
    return pyarrow.table({"id": list(numbers), "name": ["new"] * len(numbers)}, schema=schema)


def delta_options(gateways: Gateways, number: int) -> dict[str, str]:
    """The options of a writer, which has a gateway of its own."""
    return {
        "AWS_ENDPOINT_URL": gateways.address(number),
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
        "conditional_put": "etag",
    }


def test_delta(gateways: Gateways, bucket: str) -> None:
    deltalake = pytest.importorskip("deltalake", reason="deltalake is missing: pip install deltalake")
    uri, options = f"s3://{bucket}/orders", delta_options(gateways, 0)
    deltalake.write_deltalake(uri, rows(1, 2, 3), storage_options=options)
    deltalake.write_deltalake(uri, rows(4), mode="append", storage_options=options)
    table = deltalake.DeltaTable(uri, storage_options=delta_options(gateways, 1))
    merged = (
        table.merge(rows(4, 5), predicate="t.id = s.id", source_alias="s", target_alias="t")
        .when_matched_update({"name": "'merged'"})
        .when_not_matched_insert_all()
        .execute()
    )
    assert (merged["num_target_rows_updated"], merged["num_target_rows_inserted"]) == (1, 1)
    table.delete("id = 1")
    table.optimize.compact()
    table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    table.create_checkpoint()
    again = deltalake.DeltaTable(uri, storage_options=options)
    found = sorted((row["id"], row["name"]) for row in again.to_pyarrow_table().to_pylist())
    assert found == [(2, "new"), (3, "new"), (4, "merged"), (5, "new")]
    assert len(again.file_uris()) == 1


def test_delta_writers_race(gateways: Gateways, bucket: str) -> None:
    deltalake = pytest.importorskip("deltalake", reason="deltalake is missing: pip install deltalake")
    uri = f"s3://{bucket}/races"
    deltalake.write_deltalake(uri, rows(-1), storage_options=delta_options(gateways, 0))
    barrier = Barrier(2)

    def write(writer: int) -> None:
        for race in range(RACES):
            table = deltalake.DeltaTable(uri, storage_options=delta_options(gateways, writer))
            barrier.wait()
            deltalake.write_deltalake(table, rows(2 * race + writer), mode="append")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(2)))
    table = deltalake.DeltaTable(uri, storage_options=delta_options(gateways, 1))
    assert sorted(table.to_pyarrow_table()["id"].to_pylist()) == list(range(-1, 2 * RACES))
    # Each of the writers made a version of its own, whichever gateway it had.
    assert table.version() == 2 * RACES


def test_iceberg(gateways: Gateways, bucket: str, tmp_path: Path) -> None:
    missing = "pyiceberg is missing: pip install 'pyiceberg[sql-sqlite]'"
    sql = pytest.importorskip("pyiceberg.catalog.sql", reason=missing)
    from pyiceberg.exceptions import CommitFailedException

    def catalog(number: int) -> Any:
        return sql.SqlCatalog(
            "lake",
            **{
                "uri": f"sqlite:///{tmp_path}/catalog.db?timeout=120",
                "warehouse": f"s3://{bucket}/lake",
                "s3.endpoint": gateways.address(number),
                "s3.access-key-id": KEY,
                "s3.secret-access-key": SECRET,
                "s3.region": "us-east-1",
            },
        )

    catalog(0).create_namespace("shop")
    catalog(0).create_table("shop.races", rows().schema)
    races = 3
    barrier = Barrier(2)

    def write(writer: int) -> None:
        for race in range(races):
            table = catalog(writer).load_table("shop.races")
            barrier.wait()
            while True:
                try:
                    table.append(rows(2 * race + writer))
                    break
                except CommitFailedException:
                    table.refresh()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(2)))
    table = catalog(1).load_table("shop.races")
    assert sorted(table.scan().to_arrow()["id"].to_pylist()) == list(range(2 * races))
    assert len(table.snapshots()) == 2 * races
    table.overwrite(rows(100), overwrite_filter="id < 100")
    assert catalog(0).load_table("shop.races").scan().to_arrow()["id"].to_pylist() == [100]
