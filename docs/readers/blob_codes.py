"""Checksums and numbers of blobs; for blob_reader.py and the files beside it."""
import zlib

TABLE = []  # of CRC32C, by byte
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def need(condition, what):
    if not condition:
        raise ValueError(what)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def inflate(data, length):
    stream = zlib.decompressobj(-15)
    out = stream.decompress(data, length + 1)
    need(len(out) == length and stream.eof and not stream.unused_data, "does not inflate to its length")
    return out


def wrap(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
