package io.packing.worker.buffer;

import io.packing.bdt.Reclaim;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the index knows of a buffered file: enough to read, pack and reclaim it without its record.
 *
 * @param generation 0 until the master has said that the claim was granted
 * @param segment number of the segment that completes the file: its only one, or the last of a large file
 */
record FileRow(long id, long generation, FilePath path, FileAttributes attributes, long segment, List<Located> parts) {
    /** An extent and the number of its segment. */
    record Located(long segment, Extent extent) {}

    FileRow {
        parts = List.copyOf(parts);
    }

    static FileRow of(BufferedFile file) {
        List<Located> parts = new ArrayList<>(file.parts.size());
        file.parts.forEach(part -> parts.add(new Located(part.segment().number(), part.extent())));
        long home = 0;
        for (Segment segment : file.segments) {
            home = segment.number();
        }
        return new FileRow(file.id(), file.generation, file.path(), file.attributes(), home, parts);
    }

    FileRow withGeneration(long next) {
        return new FileRow(id, next, path, attributes, segment, parts);
    }

    Reclaim reclaim() {
        return new Reclaim(new FileVersion(id, generation), path, attributes);
    }

    long storedBytes() {
        return parts.stream().mapToLong(part -> part.extent().storedLength()).sum();
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(160);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(generation);
            text(out, path.value());
            out.writeLong(attributes.length());
            out.writeLong(attributes.mtimeMillis());
            text(out, attributes.owner());
            text(out, attributes.group());
            out.writeInt(attributes.mode());
            out.writeLong(segment);
            out.writeInt(parts.size());
            for (Located part : parts) {
                Extent extent = part.extent();
                out.writeLong(part.segment());
                out.writeLong(extent.fileOffset());
                out.writeInt(extent.length());
                out.writeLong(extent.blobOffset());
                out.writeInt(extent.storedLength());
                out.writeByte(extent.codec() == Codec.NONE ? 0 : 1);
                out.writeInt(extent.crc32c());
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    static FileRow decode(long id, byte[] value) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
            long generation = in.readLong();
            FilePath path = new FilePath(text(in));
            FileAttributes attributes =
                    new FileAttributes(in.readLong(), in.readLong(), text(in), text(in), in.readInt());
            long segment = in.readLong();
            int count = in.readInt();
            List<Located> parts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long at = in.readLong();
                long fileOffset = in.readLong();
                int length = in.readInt();
                long blobOffset = in.readLong();
                int stored = in.readInt();
                Codec codec = in.readByte() == 0 ? Codec.NONE : Codec.DEFLATE;
                parts.add(new Located(at, new Extent(fileOffset, length, blobOffset, stored, codec, in.readInt())));
            }
            return new FileRow(id, generation, path, attributes, segment, parts);
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
    }
}
