// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.BlobContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** The files of a cache. */
final class LayerFile {
    private static final int BUFFER = 256 << 10;

    private LayerFile() {}

    /** Writes a blob; {@link IOException} when its bytes do not have the digest. */
    static void write(LayerDownload filling, BlobContent stored, Digest digest) throws IOException {
        MessageDigest hasher = digest.algorithm().hasher();
        byte[] buffer = new byte[BUFFER];
        long length = 0;
        try (InputStream from = stored.open(0);
                FileChannel to = FileChannel.open(filling.part(), StandardOpenOption.WRITE)) {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                hasher.update(buffer, 0, n);
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
                while (bytes.hasRemaining()) {
                    int unused = to.write(bytes);
                }
                length += n;
                filling.written(length);
            }
        }
        Digest is = digest.algorithm().of(hasher);
        if (length != stored.length() || !is.equals(digest)) {
            throw new IOException("blob %s of %d bytes reads as %d bytes of digest %s"
                    .formatted(digest, stored.length(), length, is));
        }
    }

    /** Returns a whole file's bytes from a position on. */
    static InputStream open(Path file, long position) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        return new BulkInputStream() {
            private long next = position;

            @Override
            public int read(byte[] into, int offset, int count) throws IOException {
                int n = channel.read(ByteBuffer.wrap(into, offset, count), next);
                next += Math.max(0, n);
                return n;
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
