// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import software.amazon.awssdk.core.sync.RequestBody;

/** The body of a put: bytes that can be read again for every attempt, without a file in memory. */
sealed interface S3Body {
    long length();

    /** Returns the bytes from an offset, as a request body. */
    RequestBody slice(long offset, long length);

    /** A file that does not change during the request. */
    record OfFile(Path file, long length) implements S3Body {
        @Override
        public RequestBody slice(long offset, long sliceLength) {
            return RequestBody.fromContentProvider(
                    () -> open(file, offset, sliceLength), sliceLength, "application/octet-stream");
        }

        private static InputStream open(Path file, long offset, long length) {
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                channel.position(offset);
                return new Slice(Channels.newInputStream(channel), length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The caller's bytes, copied so that they cannot change during the request. */
    final class OfBytes implements S3Body {
        private final byte[] bytes;

        private OfBytes(byte[] bytes) {
            this.bytes = bytes;
        }

        static OfBytes copyOf(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return new OfBytes(bytes);
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public RequestBody slice(long offset, long sliceLength) {
            return RequestBody.fromContentProvider(
                    () -> new ByteArrayInputStream(bytes, (int) offset, (int) sliceLength),
                    sliceLength,
                    "application/octet-stream");
        }
    }

    /** The first bytes of a stream. */
    final class Slice extends InputStream {
        private final InputStream stream;
        private long left;

        Slice(InputStream stream, long left) {
            this.stream = stream;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                return -1;
            }
            int value = stream.read();
            if (value >= 0) {
                left--;
            }
            return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (left == 0) {
                return length == 0 ? 0 : -1;
            }
            int count = stream.read(target, offset, (int) Math.min(left, length));
            if (count > 0) {
                left -= count;
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
