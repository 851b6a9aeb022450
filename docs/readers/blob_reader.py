#!/usr/bin/env python3
"""Lists, prints, extracts and verifies a blob (docs/blob-format.md), with the standard library; where it has extents of
Zstandard with the package zstandard, and where it is encrypted with cryptography and PACKING_KEYS, a file of keys.

    blob_reader.py list|verify SOURCE  |  cat SOURCE PATH  |  extract SOURCE DIRECTORY

SOURCE: a file, an http(s) URL, or s3://bucket/key with AWS_ENDPOINT_URL (default Amazon), AWS_REGION,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; anonymous without a key. Exit code 1: corrupt, unreadable
or not found.
"""
import os, struct, sys, zlib

import adopted_objects, encrypted_blobs, zstd_extents  # the files beside this one
from blob_codes import crc32c, inflate, need, wrap
from range_source import Source

CODECS = {1: (0, 1), 2: (0, 1, 2, 3), 4: (0, 1, 2, 3, 8)}


class Blob:
    def __init__(self, source):
        tail = source.tail(65536)
        need(len(tail) >= 56 and tail[-4:] == b"PKBT", "no trailer: truncated, or not a blob")
        self.end, stored, size, count, crc, self.gap_crc, version, zero, own = struct.unpack("<QIIIIIHHI", tail[-40:-4])
        need(crc32c(tail[-40:-8]) == own, "trailer crc")
        need(version in (1, 2, 3, 4) and not zero, f"format version {version}, this reader knows 1 to 4")
        need(self.end >= 16 and self.end + stored + 40 == source.length, "lengths do not add up")
        need(size <= min(1 << 28, 32 * stored) and count <= size // 10, "footer past its limits")
        footer = (tail if stored + 40 <= len(tail) else source.read(self.end, stored + 40))[-40 - stored:-40]
        need(crc32c(footer) == crc, "footer crc")
        self.key = encrypted_blobs.Key(source, self.end, crc32c) if version == 3 else None
        footer, tag = (self.key.footer(self.end, footer, tail[-40:]), 16) if self.key else (footer, 0)
        self.source, self.raw, self.at = source, inflate(footer, size), 0
        self.version, self.known = version, None
        self.begin = 16 + (self.varint() if self.key else 0)
        need(not self.key or self.begin == 16 + self.key.size, "the key section's length")
        self.start = self.begin + (self.varint() if version > 1 else 0)
        need(self.start - self.begin in (0, *range(20 + tag, 131085 + tag)) and self.start <= self.end, "bad dictionary")
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
                need(codec in (range(4, 8) if self.key else CODECS[version]), f"codec {codec} of {path!r}")
                need(codec & 3 != 3 or self.start > self.begin, f"codec {codec} of {path!r} without a dictionary")
                need(codec & 11 or kept == taken + tag, f"extent of {path!r}")
                need(0 < taken <= 1 << 22 and tag < kept <= (1 << 22) + tag, f"extent of {path!r}")
                need(file_end <= length and self.start <= offset and blob_end <= self.end, f"extent of {path!r} is outside")
                extents.append((offset, kept, codec, taken, start, *struct.unpack("<I", self.take(4)), file_id))
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

    def extent(self, offset, kept, codec, length, start, crc, file_id, names=False):
        data = self.source.read(offset, kept)
        need(crc32c(data) == crc, f"crc of the extent at {offset}")
        need(codec != 8 or names, f"the bytes are in {codec == 8 and adopted_objects.name(data, start + length)}")
        if codec == 8:
            return adopted_objects.name(data, start + length)
        data, codec = (self.key.extent(data, offset, codec, length, start, file_id) if self.key else data), codec & 3
        if codec < 2:
            return inflate(data, length) if codec else data
        return zstd_extents.decompress(data, length, self.dictionary() if codec == 3 else b"")

    def dictionary(self):
        section = self.source.read(self.begin, self.start - self.begin)
        decrypt = (lambda data: self.key.dictionary(self.begin, data)) if self.key else bytes
        self.known = self.known or zstd_extents.dictionary(section, crc32c, decrypt)
        return self.known

    def verify(self):
        head = b"\x89PKB\r\n\x1a\n" + struct.pack("<HH", self.version, 0)
        need(self.source.read(0, 16) == head + struct.pack("<I", crc32c(head)), "header")
        need(self.start == self.begin or self.dictionary(), "dictionary")
        need(len({file[1] for file in self.files}) == len(self.files), "a file id occurs twice")
        gaps, at = b"", self.start
        for extent in sorted(extent for file in self.files for extent in file[4]) + [(self.end, 0)]:
            need(extent[0] >= at, f"extents overlap at {at}")
            gaps += self.source.read(at, extent[0] - at) if extent[0] > at else b""
            at = sum(extent[:2])
            need(not extent[1] or self.extent(*extent, names=True), "empty extent")
        need(crc32c(gaps) == self.gap_crc, "crc of the gaps")


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
