# SPDX-License-Identifier: Apache-2.0
"""Options, addresses, names and retries, without a server."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from packing_fs import PackingFileSystem, UnavailableError
from packing_fs.address import Address
from packing_fs.errors import BusyError, OtherMasterError
from packing_fs.options import Options
from packing_fs.retry import Retry
from packing_fs.store import worker_name

HERE = Path(__file__).resolve().parents[1]


def test_generated_code_is_that_of_the_protos(tmp_path: Path) -> None:
    pytest.importorskip("grpc_tools", reason="grpcio-tools is missing: pip install 'doors/python-client[test]'")
    # In a process of its own: the descriptors of this one are there already.
    subprocess.run([sys.executable, str(HERE / "generate.py"), str(tmp_path)], check=True)
    for made in sorted((tmp_path / "packing_fs" / "protocol").iterdir()):
        shipped = HERE / "src" / "packing_fs" / "protocol" / made.name
        assert shipped.read_text() == made.read_text(), f"{made.name} is stale: run python generate.py"


def test_options_have_the_names_and_defaults_of_the_mount() -> None:
    page = (HERE.parents[1] / "docs" / "options.md").read_text()
    for line in (
        "`packing.master.timeout` `60s`",
        "`packing.worker.timeout` `10s`",
        "`packing.read.peer.timeout` `10s`",
    ):
        assert line in page
    defaults = Options.parse({})
    assert (defaults.master_timeout, defaults.worker_timeout, defaults.read_timeout) == (60, 10, 10)
    assert defaults.spill_bytes == 4 << 20
    parsed = Options.parse(
        {"packing.tls.trust": "a", "tls_certificate": "c", "tls.key": "k", "worker_timeout": "2m", "spill_bytes": "1KB"}
    )
    assert parsed == Options(trust="a", certificate="c", key="k", worker_timeout=120.0, spill_bytes=1024)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"packing.tls.trusted": "x"}, "did you mean packing.tls.trust"),
        ({"anonymous": True}, "unknown option 'anonymous'"),
        ({"packing.worker.timeout": "soon"}, "want a duration"),
        ({"packing.spill.bytes": "5MB"}, "packing.spill.bytes"),
        ({"packing.tls.certificate": "x", "packing.tls.trust": "y"}, "belong together"),
        ({"packing.tls.token": "x"}, "packing.tls.trust is missing"),
        ({"packing.tls.revoked": "x"}, "revoked"),
        ({"packing.kerberos.principal": "x"}, "token"),
    ],
)
def test_a_wrong_option_fails_with_its_name(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PackingFileSystem("localhost", **raw)


def test_an_address_has_masters_and_perhaps_a_mount() -> None:
    assert Address.parse("h") == Address("", ("h:19990",))
    assert Address.parse("data@h:1,[::1]:2,i") == Address("data", ("h:1", "[::1]:2", "i:19990"))
    for wrong in ("", "h:", "h:x", "h:99999", "h,", "a b", "::1", "m@"):
        with pytest.raises(ValueError, match="want packing://HOST:PORT"):
            Address.parse(wrong)


def test_a_url_names_the_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "packing://data@h:1,i:2/a/b"
    assert PackingFileSystem._get_kwargs_from_urls(url) == {"address": "data@h:1,i:2"}
    assert PackingFileSystem._strip_protocol(url) == "/a/b"
    assert PackingFileSystem._strip_protocol("packing://h") == "/"
    monkeypatch.setenv("PACKING_MOUNT", "packing://h:5/")
    assert PackingFileSystem().unstrip_protocol("/a") == "packing://h:5/a"
    monkeypatch.delenv("PACKING_MOUNT")
    with pytest.raises(ValueError, match="PACKING_MOUNT"):
        PackingFileSystem(skip_instance_cache=True)


def test_workers_know_a_mount_by_its_store() -> None:
    same = {worker_name(text) for text in ("s3://b/p", "s3a://b/p/", "s3://b//p//")}
    assert len(same) == 1
    assert (
        worker_name("file:///d") == worker_name("file:/d/") == worker_name("file:///e/../d") != worker_name("file:///e")
    )
    # The checksum of "file:///d", and its length.
    assert worker_name("file:///d").endswith("-9")


class Clock:
    """A clock that the pauses of a retry turn."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def retry(self, timeout: float) -> Retry:
        return Retry(timeout, "Look.", lambda: self.now, self.sleep, lambda: 1.0)


def failing(*failures: Exception) -> Callable[[float], str]:
    """Returns an attempt that fails in these ways, and succeeds then."""
    left = list(failures)

    def attempt(seconds: float) -> str:
        if left:
            raise left.pop(0)
        return "done"

    return attempt


def test_pauses_double_until_the_timeout() -> None:
    clock = Clock()
    with pytest.raises(UnavailableError, match=r"say: no answer for 10 s \(away\). Look."):
        clock.retry(10).call("say", failing(*[UnavailableError("away")] * 100))
    assert clock.pauses[:4] == [0.02, 0.04, 0.08, 0.16]
    assert clock.now == pytest.approx(10) and max(clock.pauses) == 2.0


def test_another_master_is_asked_at_once_and_a_busy_one_after_its_pause() -> None:
    clock = Clock()
    assert clock.retry(10).call("say", failing(*[OtherMasterError("", "h:1")] * 3)) == "done"
    assert clock.pauses == []
    assert clock.retry(10).call("say", failing(BusyError("", 2.0))) == "done"
    assert 2.0 <= clock.pauses[0] <= 3.0


def test_a_client_does_not_hang_without_a_master() -> None:
    with socket.socket() as silent:
        # It takes connections, and says nothing.
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for address in (f"127.0.0.1:{silent.getsockname()[1]}", "127.0.0.1:1", "no-such-host.invalid:1"):
            fs = PackingFileSystem(address, master_timeout="500ms", skip_instance_cache=True)
            with pytest.raises(UnavailableError, match=f"{address}.*packing.tls.trust"):
                fs.info("/")
            with pytest.raises(ConnectionError):
                fs.exists("/f")
