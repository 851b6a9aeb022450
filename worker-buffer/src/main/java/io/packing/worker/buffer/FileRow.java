// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The index's row of a buffered file: the worker reads, packs and reclaims the file by it, without its record.
 *
 * @param generation of the grant; 0 before it
 * @param segment number of the segment that completes the file: its only one, or the last of a large file
 */
record FileRow(long id, long generation, FilePath path, FileAttributes attributes, long segment, List<Located> parts) {
    private static final int FIXED_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES + 3 * Short.BYTES;
    private static final int PART_BYTES = 3 * Long.BYTES + 3 * Integer.BYTES + 1;

    /** An extent with the number of its segment. */
    record Located(long segment, Extent extent) {}

    FileRow {
        parts = List.copyOf(parts);
    }

    static FileRow of(BufferedFile file) {
        List<Located> parts = new ArrayList<>(file.parts().size());
        file.parts().forEach(part -> parts.add(new Located(part.segment().number(), part.extent())));
        long home = 0;
        for (BufferSegment segment : file.segments()) {
            home = segment.number();
        }
        return new FileRow(file.id(), file.generation(), file.path(), file.attributes(), home, parts);
    }

    FileRow withGeneration(long next) {
        return new FileRow(id, next, path, attributes, segment, parts);
    }

    FileVersion version() {
        return new FileVersion(id, generation);
    }

    long storedBytes() {
        return parts.stream().mapToLong(part -> part.extent().storedLength()).sum();
    }

    byte[] encode() {
        byte[] name = path.value().getBytes(StandardCharsets.UTF_8);
        byte[] owner = attributes.owner().getBytes(StandardCharsets.UTF_8);
        byte[] group = attributes.group().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(
                FIXED_BYTES + name.length + owner.length + group.length + PART_BYTES * parts.size());
        out.putLong(generation);
        text(out, name);
        out.putLong(attributes.length()).putLong(attributes.mtimeMillis());
        text(out, owner);
        text(out, group);
        out.putInt(attributes.mode()).putLong(segment).putInt(parts.size());
        for (Located part : parts) {
            Extent extent = part.extent();
            out.putLong(part.segment()).putLong(extent.fileOffset()).putInt(extent.length());
            out.putLong(extent.blobOffset()).putInt(extent.storedLength());
            out.put((byte) (extent.codec() == Codec.NONE ? 0 : 1)).putInt(extent.crc32c());
        }
        return out.array();
    }

    static FileRow decode(long id, byte[] value) throws IOException {
        try {
            ByteBuffer in = ByteBuffer.wrap(value);
            long generation = in.getLong();
            FilePath path = new FilePath(text(in));
            // Owners and groups are few: the files in memory share their names.
            FileAttributes attributes =
                    new FileAttributes(in.getLong(), in.getLong(), text(in).intern(), text(in).intern(), in.getInt());
            long segment = in.getLong();
            int count = in.getInt();
            List<Located> parts = new ArrayList<>(Math.min(count, in.remaining() / PART_BYTES));
            for (int i = 0; i < count; i++) {
                long at = in.getLong();
                long fileOffset = in.getLong();
                int length = in.getInt();
                long blobOffset = in.getLong();
                int stored = in.getInt();
                Codec codec = in.get() == 0 ? Codec.NONE : Codec.DEFLATE;
                parts.add(new Located(at, new Extent(fileOffset, length, blobOffset, stored, codec, in.getInt())));
            }
            return new FileRow(id, generation, path, attributes, segment, parts);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("the buffer's index is damaged at file " + id, e);
        }
    }

    private static void text(ByteBuffer out, byte[] text) {
        out.putShort((short) text.length).put(text);
    }

    private static String text(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
