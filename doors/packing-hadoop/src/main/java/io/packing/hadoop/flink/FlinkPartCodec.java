// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.hadoop.fs.Path;

/**
 * The bytes of a {@link FlinkPart} in a checkpoint: its length, then draft and target, each a count of bytes and its text in UTF-8; big-endian.
 *
 * @param <T> the interface of Flink's by which the part is known
 */
final class FlinkPartCodec<T> implements SimpleVersionedSerializer<T> {
    private static final int VERSION = 1;

    private final Class<T> type;

    FlinkPartCodec(Class<T> type) {
        this.type = type;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(T recoverable) throws IOException {
        FlinkPart part = FlinkPart.of(recoverable);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(part.length());
            write(part.draft(), out);
            write(part.target(), out);
        }
        return bytes.toByteArray();
    }

    private static void write(Path path, DataOutputStream out) throws IOException {
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
    }

    @Override
    public T deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION) {
            throw new IOException(
                    "a checkpoint has a part of version %d: this is %d; use the jar that wrote the checkpoint, or a newer one"
                            .formatted(version, VERSION));
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long length = in.readLong();
            FlinkPart part = new FlinkPart(path(in), path(in), length);
            if (in.available() > 0) {
                throw new IOException("%d bytes are behind it".formatted(in.available()));
            }
            return type.cast(part);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("a checkpoint has a damaged part of %d bytes".formatted(bytes.length), e);
        }
    }

    private static Path path(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new EOFException("a path of %d bytes, of which %d are there".formatted(length, in.available()));
        }
        return new Path(new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }
}
