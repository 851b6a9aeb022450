"""Names of adopted objects (docs/blob-format.md, section 2.2); for blob_reader.py."""
import struct

from blob_codes import need


def name(data, end):
    need(len(data) >= 9 and data[0] == 1, "an adopted object of an unknown kind")
    length, texts, at = struct.unpack("<Q", data[1:9])[0], [], 9
    for _ in range(3):
        size = int.from_bytes(data[at:at + 2], "little")
        at += 2 + size
        need(0 < size <= 4096 and at <= len(data), "the name of an adopted object ends early")
        texts.append(data[at - size:at].decode())
    need(at == len(data) and end <= length, "the name of an adopted object is too long, or the object too short")
    return "s3://{}/{}, version {}".format(*texts)
