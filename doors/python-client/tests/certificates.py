# SPDX-License-Identifier: Apache-2.0
"""An authority of certificates for tests."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    """Files of a certificate and its key."""

    certificate: Path
    key: Path


class Authority:
    """An authority with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        made = self._builder(self._name, self._key)
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.certificate = folder / "authority.crt"
        self.certificate.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _DAY)
            .not_valid_after(now + _DAY)
        )

    def issue(self, user: str, role: str = "", host: str = "127.0.0.1") -> Certificate:
        """Returns a certificate of a user, perhaps with a role."""
        names = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, role)] if role else []
        subject = x509.Name([*names, x509.NameAttribute(NameOID.COMMON_NAME, user)])
        key = ec.generate_private_key(ec.SECP256R1())
        hosts: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_address(host))]
        made = self._builder(subject, key).add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        files = Certificate(self._folder / f"{user}.crt", self._folder / f"{user}.key")
        files.certificate.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files
