#!/usr/bin/env python3
"""Lists, prints, extracts and verifies a blob (docs/blob-format.md), with the standard library, and zstandard for extents of it.

    blob_reader.py list|verify SOURCE  |  cat SOURCE PATH  |  extract SOURCE DIRECTORY

SOURCE: a file, an http(s) URL, or s3://bucket/key with AWS_ENDPOINT_URL (default Amazon), AWS_REGION,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; anonymous without a key. Exit code 1: corrupt, unreadable
or not found.
"""
import os, struct, sys, zlib

import zstd_extents  # the files beside this one
from range_source import Source

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


class Blob:
    def __init__(self, source):
        tail = source.tail(65536)
        need(len(tail) >= 56 and tail[-4:] == b"PKBT", "no trailer: truncated, or not a blob")
        self.end, stored, size, count, crc, self.gap_crc, version, zero, own = struct.unpack("<QIIIIIHHI", tail[-40:-4])
        need(crc32c(tail[-40:-8]) == own, "trailer crc")
        need(version in (1, 2) and not zero, f"format version {version}, this reader knows 1 and 2")
        need(self.end >= 16 and self.end + stored + 40 == source.length, "lengths do not add up")
        need(size <= min(1 << 28, 32 * stored) and count <= size // 10, "footer past its limits")
        footer = (tail if stored + 40 <= len(tail) else source.read(self.end, stored + 40))[-40 - stored:-40]
        need(crc32c(footer) == crc, "footer crc")
        self.source, self.raw, self.at = source, inflate(footer, size), 0
        self.version, self.known = version, None
        self.start = 16 + (self.varint() if version > 1 else 0)
        need(self.start in (16, *range(36, 131101)) and self.start <= self.end, "a dictionary that cannot be")
        names = [self.take(self.varint()).decode() for _ in range(self.varint())]
        self.files, path, last, file_id, lag, mtime, blob_end = [], b"", (), 0, 0, 0, self.start
        for _ in range(count):
            path = path[:self.varint()] + self.take(self.varint())
            root, *parts = path.split(b"/")
            need(not root and parts and not {b"", b".", b".."} & set(parts) and b"\0" not in path, f"bad path {path!r}")
            file_id, lag = self.delta(file_id), self.delta(lag)
            before, last = last, (path, wrap(file_id + lag), file_id)
            need(last > before and last[1] >= 0 and file_id > 0 and len(path) < 65536, f"version or order of {path!r}")
            length, mtime, owner, group, mode = self.varint(), self.delta(mtime), *(self.varint() for _ in range(3))
            extents, file_end = [], 0
            for _ in range(self.varint()):
                start, taken, offset = file_end + self.varint(), self.varint(), self.delta(blob_end)
                codec = self.take(1)[0]
                kept = self.varint() if codec else taken
                file_end, blob_end = start + taken, offset + kept
                need(codec < 2 * version and (codec < 3 or self.start > 16), f"codec {codec} of {path!r}")
                need(0 < taken <= 1 << 22 and 0 < kept <= 1 << 22, f"extent of {path!r}")
                need(file_end <= length and self.start <= offset and blob_end <= self.end, f"extent of {path!r} is outside")
                extents.append((offset, kept, codec, taken, start, *struct.unpack("<I", self.take(4))))
            head = f"{mode:04o} {names[owner]}:{names[group]} {length} {mtime} {file_id}@{last[1]}"
            self.files.append((path.decode(), file_id, length, head, extents))
        need(self.at == size, "bytes follow the last file")

    def take(self, count):
        self.at += count
        need(self.at <= len(self.raw), "footer ends early")
        return self.raw[self.at - count:self.at]

    def varint(self, shift=0):
        byte = self.take(1)[0]
        return byte & 127 | (self.varint(shift + 7) << 7 if byte > 127 and shift < 63 else 0)

    def delta(self, previous):
        value = self.varint()
        return wrap(previous + (value >> 1 ^ -(value & 1)))

    def extent(self, offset, kept, codec, length, _, crc):
        data = self.source.read(offset, kept)
        need(crc32c(data) == crc, f"crc of the extent at {offset}")
        if codec < 2:
            return inflate(data, length) if codec else data
        return zstd_extents.decompress(data, length, self.dictionary() if codec == 3 else b"")

    def dictionary(self):
        self.known = self.known or zstd_extents.dictionary(self.source.read(16, self.start - 16), crc32c)
        return self.known

    def verify(self):
        head = b"\x89PKB\r\n\x1a\n" + struct.pack("<HH", self.version, 0)
        need(self.source.read(0, 16) == head + struct.pack("<I", crc32c(head)), "header")
        need(self.start == 16 or self.dictionary(), "dictionary")
        need(len({file[1] for file in self.files}) == len(self.files), "a file id occurs twice")
        gaps, at = b"", self.start
        for extent in sorted(extent for file in self.files for extent in file[4]) + [(self.end, 0)]:
            need(extent[0] >= at, f"extents overlap at {at}")
            gaps += self.source.read(at, extent[0] - at) if extent[0] > at else b""
            at = sum(extent[:2])
            need(not extent[1] or self.extent(*extent), "empty extent")
        need(crc32c(gaps) == self.gap_crc, "crc of the gaps")


def wrap(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def main(command, name, target=""):
    blob, found = Blob(Source(name)), command != "cat"
    if command == "verify":
        blob.verify()
    for path, _, length, head, extents in blob.files:
        if command == "list":
            print(head, path)
        elif command == "extract":
            os.makedirs(os.path.dirname(target + path), exist_ok=True)
            with open(target + path, "wb") as out:
                for extent in extents:
                    out.seek(extent[4])
                    out.write(blob.extent(*extent))
                out.truncate(length)
        elif path == target:
            found = [blob.extent(*extent) for extent in extents] or [b""]
    need(found, f"there is no {target}")
    sys.stdout.buffer.writelines(found if command == "cat" else [])


if __name__ == "__main__":
    if {"list": 3, "verify": 3, "cat": 4, "extract": 4}.get((sys.argv + [""])[1]) != len(sys.argv):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (ValueError, IndexError, OSError, zlib.error) as e:
        sys.exit(f"{sys.argv[2]}: {e}")
