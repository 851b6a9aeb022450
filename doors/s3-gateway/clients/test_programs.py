# SPDX-License-Identifier: Apache-2.0
"""aws-cli, rclone, s5cmd, DuckDB and pyarrow; a program that is not on the path is skipped, with the way to install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import KEY, SECRET, Gateways


def run(gateways: Gateways, *words: str) -> str:
    """Runs a program to its end."""
    done = subprocess.run(
        words, env=gateways.environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def program(name: str, how: str) -> str:
    """Finds a program."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is missing: {how}")
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files of all sizes and odd names."""
    folder = tmp_path / "tree"
    for name, size in (("a", 10), ("a b/ü", 8192), ("d/e/f", 100_000), ("large", 20 << 20), ("empty", 0)):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(os.urandom(size))
    return folder


def same(one: Path, other: Path) -> bool:
    """Tells whether two folders have equal files."""
    files = {path.relative_to(one): path.read_bytes() for path in one.rglob("*") if path.is_file()}
    return files == {path.relative_to(other): path.read_bytes() for path in other.rglob("*") if path.is_file()}


def test_aws_cli(gateways: Gateways, bucket: str, tree: Path, tmp_path: Path) -> None:
    aws = program("aws", "pip install awscli")
    run(gateways, aws, "s3", "sync", str(tree), f"s3://{bucket}/t")
    assert "20971520" in run(gateways, aws, "s3", "ls", "--recursive", f"s3://{bucket}/")
    run(gateways, aws, "s3", "cp", f"s3://{bucket}/t/large", f"s3://{bucket}/copy/large")
    run(gateways, aws, "s3", "sync", f"s3://{bucket}/t", str(tmp_path / "back"))
    assert same(tree, tmp_path / "back")
    assert run(gateways, aws, "s3", "sync", str(tree), f"s3://{bucket}/t") == ""
    run(gateways, aws, "s3", "mv", f"s3://{bucket}/copy/large", f"s3://{bucket}/moved")
    run(gateways, aws, "s3", "rb", "--force", f"s3://{bucket}")


def test_rclone(gateways: Gateways, bucket: str, tree: Path, tmp_path: Path) -> None:
    rclone = program("rclone", "apt-get install rclone")
    run(gateways, rclone, "copy", str(tree), f"gw:{bucket}/t", "--s3-chunk-size", "5M", "--s3-upload-cutoff", "5M")
    run(gateways, rclone, "check", str(tree), f"gw:{bucket}/t")
    run(gateways, rclone, "copy", f"gw:{bucket}/t", str(tmp_path / "back"))
    assert same(tree, tmp_path / "back")
    run(gateways, rclone, "move", f"gw:{bucket}/t", f"gw:{bucket}/u")
    run(gateways, rclone, "check", str(tree), f"gw:{bucket}/u", "--download")
    run(gateways, rclone, "purge", f"gw:{bucket}/u")
    assert run(gateways, rclone, "lsf", f"gw:{bucket}") == ""


def test_s5cmd(gateways: Gateways, bucket: str, tree: Path, tmp_path: Path) -> None:
    s5cmd = program("s5cmd", "go install github.com/peak/s5cmd/v2@latest")
    run(gateways, s5cmd, "cp", f"{tree}/*", f"s3://{bucket}/t/")
    run(gateways, s5cmd, "cp", f"s3://{bucket}/t/*", f"{tmp_path}/back/")
    assert same(tree, tmp_path / "back")
    run(gateways, s5cmd, "rm", f"s3://{bucket}/t/*")


def test_duckdb(gateways: Gateways, bucket: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    database = duckdb.connect()
    try:
        database.execute("INSTALL httpfs; LOAD httpfs")
    except (duckdb.IOException, duckdb.HTTPException) as error:
        pytest.skip(f"DuckDB cannot get its extension httpfs: {error}")
    host = gateways.address().removeprefix("http://")
    database.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID '{KEY}', SECRET '{SECRET}', REGION 'us-east-1', ENDPOINT '{host}',"
        " URL_STYLE 'path', USE_SSL false)"
    )
    database.execute(f"COPY (SELECT range AS n, range % 4 AS p FROM range(100000)) TO 's3://{bucket}/n.parquet'")
    database.execute(
        f"COPY (SELECT range AS n, range % 4 AS p FROM range(1000)) TO 's3://{bucket}/parts' (FORMAT parquet, PARTITION_BY (p))"
    )
    assert database.execute(f"SELECT sum(n) FROM 's3://{bucket}/n.parquet'").fetchone() == (4999950000,)
    assert database.execute(f"SELECT count(*) FROM 's3://{bucket}/parts/*/*.parquet'").fetchone() == (1000,)


def test_pyarrow(gateways: Gateways, bucket: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset")
    fs = pytest.importorskip("pyarrow.fs")
    files = fs.S3FileSystem(
        access_key=KEY, secret_key=SECRET, region="us-east-1", endpoint_override=gateways.address(), scheme="http"
    )
    table = pyarrow.table({"n": range(1000), "part": [n % 4 for n in range(1000)]})
    dataset.write_dataset(table, f"{bucket}/set", format="parquet", partitioning=["part"], filesystem=files)
    assert dataset.dataset(f"{bucket}/set", partitioning=["part"], filesystem=files).count_rows() == 1000
    with files.open_output_stream(f"{bucket}/stream") as out:
        for _ in range(30):
            out.write(bytes(1 << 20))
    assert files.get_file_info(f"{bucket}/stream").size == 30 << 20
    with files.open_input_file(f"{bucket}/stream") as stream:
        stream.seek(12 << 20)
        assert stream.read(10) == bytes(10)
    files.create_dir(f"{bucket}/made")
    assert files.get_file_info(f"{bucket}/made").type == fs.FileType.Directory
    files.move(f"{bucket}/stream", f"{bucket}/moved")
    files.delete_dir(f"{bucket}/set")
    assert [info.path for info in files.get_file_info(fs.FileSelector(bucket))] == [f"{bucket}/made", f"{bucket}/moved"]
