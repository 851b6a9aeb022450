# SPDX-License-Identifier: Apache-2.0
"""A master, a worker and two gateways that all clients share."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

# The Python client's tests start masters and workers, too.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python-client"))
from tests.daemons import Cluster, Daemon

KEY = "ALICEKEY"
SECRET = "alice-has-a-secret-of-40-characters-here"


class Gateways:
    """Two gateways over one mount."""

    def __init__(self, folder: Path) -> None:
        self.cluster = Cluster(folder)
        self.daemons: list[Daemon] = []
        try:
            self.cluster.make_mount()
            self.cluster.add_worker()
            keys = folder / "s3.keys"
            keys.write_text(f"{KEY} {SECRET} alice\n")
            for number in (1, 2):
                words = ["s3", "--bind", "127.0.0.1:0", "--keys", str(keys), f"{self.cluster.url}/"]
                daemon = Daemon(words, folder / f"gateway-{number}.log", "S3 gateway of ")
                daemon.start()
                self.daemons.append(daemon)
        except BaseException:
            self.close()
            raise

    def address(self, number: int = 0) -> str:
        """The URL of a gateway."""
        return self.daemons[number].address

    def client(self, number: int = 0, **config: Any) -> Any:
        """A client of boto3."""
        return boto3.client(
            "s3",
            endpoint_url=self.address(number),
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            region_name="us-east-1",
            config=Config(retries={"max_attempts": 2}, s3={"addressing_style": "path"}, **config),
        )

    def environment(self, number: int = 0) -> dict[str, str]:
        """The environment of programs."""
        # An authority of the machine concerns HTTPS, and older programs fail with it.
        inherited = {name: value for name, value in os.environ.items() if name != "AWS_CA_BUNDLE"}
        return dict(
            inherited,
            AWS_ACCESS_KEY_ID=KEY,
            AWS_SECRET_ACCESS_KEY=SECRET,
            AWS_REGION="us-east-1",
            AWS_DEFAULT_REGION="us-east-1",
            AWS_ENDPOINT_URL=self.address(number),
            AWS_EC2_METADATA_DISABLED="true",
            S3_ENDPOINT_URL=self.address(number),
            RCLONE_CONFIG_GW_TYPE="s3",
            RCLONE_CONFIG_GW_PROVIDER="Other",
            RCLONE_CONFIG_GW_ENDPOINT=self.address(number),
            RCLONE_CONFIG_GW_ACCESS_KEY_ID=KEY,
            RCLONE_CONFIG_GW_SECRET_ACCESS_KEY=SECRET,
            RCLONE_CONFIG=os.devnull,
        )

    def close(self) -> None:
        """Ends all processes."""
        for daemon in self.daemons:
            daemon.kill()
        self.cluster.close()


@pytest.fixture(scope="session")
def gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateways]:
    """The gateways of a run."""
    started = Gateways(tmp_path_factory.mktemp("s3"))
    try:
        yield started
    finally:
        started.close()


@pytest.fixture
def bucket(gateways: Gateways) -> str:
    """A new bucket."""
    name = f"b-{uuid.uuid4()}"
    gateways.client().create_bucket(Bucket=name)
    return name
