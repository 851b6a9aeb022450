"""What blobs since version 2 have of Zstandard, with the package zstandard where bytes are decompressed; for blob_reader.py."""
import struct

from blob_codes import need

try:
    import zstandard
except ImportError:
    zstandard = None


def dictionary(section, crc32c, decrypt):
    """The dictionary in a blob's section of it, checked."""
    length, crc, own = struct.unpack("<III", section[:12])
    need(crc32c(section[:8]) == own and length == len(section) - 12, "the dictionary's length or its crc")
    need(crc32c(section[12:]) == crc, "crc of the dictionary")
    known = decrypt(section[12:])
    need(known[:4] == b"\x37\xa4\x30\xec" and any(known[4:8]), "not a dictionary")
    return known


def decompress(data, length, known):
    """The bytes of one frame that needs a dictionary or, with b"", none."""
    need(zstandard, "this blob has extents of Zstandard: pip install zstandard")
    number = int.from_bytes(known[4:8], "little")
    try:
        head = zstandard.get_frame_parameters(data)
        need((head.content_size, head.dict_id, head.has_checksum) == (length, number, False), "not the extent's frame")
        decompressor = zstandard.ZstdDecompressor(zstandard.ZstdCompressionDict(known) if known else None)
        out = decompressor.decompress(data, max_output_size=length, allow_extra_data=False)
    except zstandard.ZstdError as e:
        raise ValueError(f"does not decompress: {e}")
    need(len(out) == length, "does not decompress to its length")
    return out
