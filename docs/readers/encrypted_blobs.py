"""What blobs of version 3 have of encryption, with the package cryptography; for blob_reader.py.

PACKING_KEYS names a file of lines NAME@VERSION HEX, as packing.encryption.keystore has it. Keys of a KMS cannot be had here.
"""
import hashlib, hmac, os, struct

from blob_codes import need

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
except ImportError:
    AESGCM = None

CHECK, EXTENT, FOOTER, DICTIONARY = range(4)


def named_key(version):
    """The bytes of a version of a named key."""
    path = os.environ.get("PACKING_KEYS")
    lines = [line.split("#")[0].split() for line in open(path)] if path else []
    found = [words[1] for words in lines if len(words) == 2 and words[0] == version]
    need(found, f"encrypted with {version}: set PACKING_KEYS to a file of lines NAME@VERSION HEX that has it")
    return bytes.fromhex(found[0])


class Key:
    """The key of one blob, read from the section behind its header."""

    def __init__(self, source, end, crc32c):
        need(end >= 16 + 12, "no room for a key section")
        head = source.read(16, 12)
        length, crc, own = struct.unpack("<III", head)
        need(crc32c(head[:8]) == own and 59 <= length <= min(4096, end - 28), "the key section's length or its crc")
        record = source.read(28, length)
        need(crc32c(record) == crc, "crc of the key section")
        self.size, salt, at, parts = 12 + length, record[1:33], 34, []
        for _ in range(3):
            need(at + 2 <= length, "key record")
            (count,) = struct.unpack("<H", record[at:at + 2])
            parts.append(record[at + 2:at + 2 + count])
            at += 2 + count
        need(record[0] == 1 and at == length - 16, "key record")
        name, version, wrapped = parts
        need(record[33] == 1, f"encrypted with {version.decode()} of a KMS, which gives its keys to nobody")
        need(AESGCM, "this blob is encrypted: pip install cryptography")
        named = AESGCM(named_key(version.decode()))
        try:
            data = named.decrypt(wrapped[:12], wrapped[12:], name + b"\n" + version)
        except InvalidTag:
            raise ValueError(f"another key is known as {version.decode()}, or the key section was exchanged")
        self.cipher = AESGCM(hmac.new(data, b"packing blob 1" + salt, hashlib.sha256).digest())
        self.decrypt(CHECK, 0, record[at:], record[:at], "the key section is not as it was written")

    def decrypt(self, part, place, data, associated, what):
        try:
            return self.cipher.decrypt(struct.pack("<IQ", part, place), data, associated)
        except InvalidTag:
            raise ValueError(what)

    def footer(self, end, data, trailer):
        return self.decrypt(FOOTER, end, data, trailer[:20] + trailer[24:30], "footer and trailer: exchanged or forged")

    def dictionary(self, place, data):
        return self.decrypt(DICTIONARY, place, data, b"", "dictionary: exchanged or forged")

    def extent(self, data, offset, codec, length, start, file_id):
        associated = struct.pack("<QQIB", file_id, start, length, codec)
        return self.decrypt(EXTENT, offset, data, associated, f"the extent at {offset}: moved, exchanged or forged")
