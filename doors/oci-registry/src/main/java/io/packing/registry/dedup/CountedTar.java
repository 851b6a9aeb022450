package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** A tar stream that is hashed while it is read, and that ends with an error when it is too long. Confined to one thread. */
final class CountedTar extends BulkInputStream {
    /** The stream has more bytes than the limit. */
    static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        TooLargeException(long most) {
            super("the layer has more than %,d bytes".formatted(most));
        }
    }

    private final InputStream in;
    private final long most;
    private final MessageDigest hasher;
    private long count;

    /** @param most bytes */
    CountedTar(InputStream in, long most, MessageDigest hasher) {
        this.in = in;
        this.most = most;
        this.hasher = hasher;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = in.read(into, offset, length);
        if (n > 0) {
            hasher.update(into, offset, n);
            count += n;
            if (count > most) {
                throw new TooLargeException(most);
            }
        }
        return n;
    }

    /** Bytes so far. */
    long count() {
        return count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
