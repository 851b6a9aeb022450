// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A trace file's bytes, decompressed if it begins as zstd and gzip do. A truncated file just ends, and {@link #torn}
 * reports it.
 */
final class TraceInput extends FilterInputStream {
    private static final int BUFFER = 1 << 16;
    private static final int MAGIC_BYTES = 4;
    private static final int ZSTD_MAGIC = 0xFD2FB528;
    private static final int GZIP_MAGIC = 0x8B1F;

    private final Path file;
    private boolean torn;

    private TraceInput(Path file, InputStream bytes) {
        super(bytes);
        this.file = file;
    }

    static TraceInput open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new MalformedTraceException("%s: no such file".formatted(file));
        }
        BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            raw.mark(MAGIC_BYTES);
            byte[] magic = raw.readNBytes(MAGIC_BYTES);
            raw.reset();
            return new TraceInput(file, decompressed(raw, magic));
        } catch (IOException e) {
            raw.close();
            throw new MalformedTraceException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static InputStream decompressed(InputStream raw, byte[] magic) throws IOException {
        int value = 0;
        for (int i = magic.length - 1; i >= 0; i--) {
            value = value << 8 | (magic[i] & 0xff);
        }
        if (value == ZSTD_MAGIC) {
            return new ZstdInputStream(raw);
        }
        return (value & 0xffff) == GZIP_MAGIC ? new GZIPInputStream(raw, BUFFER) : raw;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            return in.read(into, offset, length);
        } catch (EOFException e) {
            torn = true;
            return -1;
        } catch (IOException e) {
            // The zstd binding has no exception of its own for a file that ends within a frame.
            if ("Truncated source".equals(e.getMessage())) {
                torn = true;
                return -1;
            }
            throw new MalformedTraceException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Returns whether the file ended within its compression. */
    boolean torn() {
        return torn;
    }
}
