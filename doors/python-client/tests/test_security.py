# SPDX-License-Identifier: Apache-2.0
"""TLS, certificates, tokens, and rights on files."""

from __future__ import annotations

import errno
import stat
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from packing_fs import PackingFileSystem, UnavailableError, UntrustedError, vectors
from tests.certificates import Authority, Certificate
from tests.daemons import Cluster, command


class Secured:
    """A cluster with TLS, whose master names places in blobs to daemons only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = Authority(folder / "authority")
        daemon = self.authority.issue("node", "packing-daemon")
        self.root = self.authority.issue("root", "packing-superuser")
        places = ["--option", "bdt.places=daemons"]
        self.cluster = Cluster(folder / "cluster", [*self.flags(daemon, "bdt"), *places], self.flags(daemon))

    def flags(self, files: Certificate, prefix: str = "packing") -> list[str]:
        """Returns the options of a process with a certificate."""
        flags = []
        for option, file in (
            ("trust", self.authority.certificate),
            ("certificate", files.certificate),
            ("key", files.key),
        ):
            flags += ["--option", f"{prefix}.tls.{option}={file}"]
        return flags

    def options(self, files: Certificate) -> dict[str, str]:
        """Returns the storage options of a client with a certificate."""
        return {
            "packing.store": f"file://{self.cluster.store}",
            "packing.tls.trust": str(self.authority.certificate),
            "packing.tls.certificate": str(files.certificate),
            "packing.tls.key": str(files.key),
        }

    def client(self, user: str, role: str = "") -> PackingFileSystem:
        """Returns the file system of a user."""
        return PackingFileSystem(self.cluster.master.address, **self.options(self.authority.issue(user, role)))


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """A cluster with TLS."""
    secured = Secured(tmp_path_factory.mktemp("secured"))
    try:
        secured.cluster.make_mount()
        secured.cluster.add_worker()
        root = secured.client("root", "packing-superuser")
        for user in ("alice", "carol"):
            root.mkdir(f"/{user}")
            root.set_attributes(f"/{user}", vectors.AttributeChange(owner=user))
        yield secured
    finally:
        secured.cluster.close()


def test_a_certificate_names_the_owner_and_the_rights(secured: Secured) -> None:
    alice, carol = secured.client("alice"), secured.client("carol")
    alice.pipe_file("/alice/secret", b"secret", permissions=0o600)
    alice.pipe_file("/alice/open", b"open")
    alice.pipe_file("/alice/large", bytes(9 << 20), permissions=0o600)
    assert alice.info("/alice/secret")["owner"] == "alice"
    assert stat.S_IMODE(alice.info("/alice/secret")["mode"]) == 0o600
    for _ in range(2):
        assert carol.cat_file("/alice/open") == b"open"
        for path in ("/alice/secret", "/alice/large"):
            with pytest.raises(PermissionError, match="carol"):
                carol.cat_file(path)
            with pytest.raises(PermissionError):
                carol.get_batch([path])
        found = carol.get_batch(["/alice/secret", "/alice/open", "/alice/none"], on_error="return")
        assert [type(each) for each in found.values()] == [PermissionError, bytes, FileNotFoundError]
        assert alice.get_batch(["/alice/secret"]) == {"/alice/secret": b"secret"}
        assert alice.size("/alice/large") == len(alice.cat_file("/alice/large"))
        command("flush", f"{secured.cluster.url}/", *secured.flags(secured.root))
    with pytest.raises(PermissionError):
        carol.pipe_file("/alice/mine", b"x")
    with pytest.raises(PermissionError):
        carol.rm("/alice/open")
    with pytest.raises(PermissionError):
        carol.mv("/alice/open", "/carol/open")


def test_a_url_takes_certificates_as_storage_options(secured: Secured) -> None:
    options = secured.options(secured.authority.issue("carol"))
    with fsspec.open(f"{secured.cluster.url}/carol/f", "wb", **options) as file:
        file.write(b"x")
    named = {key.removeprefix("packing.").replace(".", "_"): value for key, value in options.items()}
    with fsspec.open(f"{secured.cluster.url}/carol/f", "rb", **named) as file:
        assert file.read() == b"x"


def test_a_token_is_shown_in_place_of_a_certificate(secured: Secured, tmp_path: Path) -> None:
    carol = secured.authority.issue("carol")
    flags = secured.flags(carol)
    token = tmp_path / "token"
    command("token", "issue", f"{secured.cluster.url}/", str(token), *flags)
    options = {
        "packing.store": f"file://{secured.cluster.store}",
        "packing.tls.trust": str(secured.authority.certificate),
        "packing.tls.token": str(token),
        "packing.master.timeout": "5s",
    }
    fs = PackingFileSystem(secured.cluster.master.address, **options)
    fs.pipe_file("/carol/by-token", b"x")
    assert fs.info("/carol/by-token")["owner"] == "carol"
    assert fs.cat_file("/carol/by-token") == b"x"
    assert fs.get_batch(["/carol/by-token"]) == {"/carol/by-token": b"x"}
    good = token.read_text()
    for wrong in ("AAAA", good[:-8] + "AAAAAAA=", "", "ü"):
        token.write_text(wrong)
        with pytest.raises((PermissionError, ValueError)):
            fs.info("/carol/by-token")
        with pytest.raises((PermissionError, ValueError)):
            fs.pipe_file("/carol/other", b"x")
    token.write_text(good)
    assert fs.exists("/carol/by-token") and not fs.exists("/carol/other")
    token.unlink()
    with pytest.raises(ValueError, match="packing.tls.token"):
        fs.info("/carol/by-token")


def test_connections_that_do_not_fit_fail_with_their_reason(secured: Secured, tmp_path: Path) -> None:
    address = secured.cluster.master.address
    other = Authority(tmp_path / "other")
    stranger = other.issue("alice")
    mistrusting = dict(
        secured.options(secured.authority.issue("alice")), **{"packing.tls.trust": str(other.certificate)}
    )
    with pytest.raises(UntrustedError, match="no trusted connection"):
        PackingFileSystem(address, **mistrusting).info("/")
    without = {"packing.tls.trust": str(secured.authority.certificate), "packing.master.timeout": "2s"}
    with pytest.raises(PermissionError):
        PackingFileSystem(address, **without).info("/")
    with pytest.raises(UnavailableError, match="packing.tls.trust"):
        PackingFileSystem(address, master_timeout="2s").info("/")
    unknown = dict(secured.options(stranger), **{"packing.master.timeout": "2s"})
    with pytest.raises((UnavailableError, UntrustedError, PermissionError)):
        PackingFileSystem(address, **unknown).info("/")
    missing = dict(secured.options(stranger), **{"packing.tls.trust": "/no/such/file"})
    with pytest.raises(ValueError, match="packing.tls.trust: /no/such/file"):
        PackingFileSystem(address, **missing).info("/")


def test_a_client_does_not_believe_a_server_of_another_name(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    daemon = authority.issue("node", "packing-daemon", host="10.1.2.3")
    flags: list[str] = []
    for option, file in (("trust", authority.certificate), ("certificate", daemon.certificate), ("key", daemon.key)):
        flags += ["--option", f"bdt.tls.{option}={file}"]
    cluster = Cluster(tmp_path / "cluster", flags)
    try:
        fs = PackingFileSystem(cluster.master.address, tls_trust=str(authority.certificate))
        with pytest.raises(UntrustedError):
            fs.info("/")
    finally:
        cluster.close()


def test_a_client_to_whom_no_place_is_named_has_to_name_the_store(secured: Secured) -> None:
    options = secured.options(secured.authority.issue("alice"))
    del options["packing.store"]
    with pytest.raises(PermissionError) as refused:
        PackingFileSystem(secured.cluster.master.address, **options).info("/")
    assert refused.value.errno == errno.EACCES
