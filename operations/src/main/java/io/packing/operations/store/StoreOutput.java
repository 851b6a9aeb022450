// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.StreamCapabilities;

/** An object that is written: it is gathered in a temporary file, and put as a whole when the stream is closed. For one thread. */
final class StoreOutput extends OutputStream implements Abortable, StreamCapabilities {
    /** Puts a file whose bytes have this CRC32C. */
    interface Put {
        void put(Path file, int crc) throws IOException;
    }

    private final Put put;
    private final Path file;
    private final OutputStream out;
    private final CRC32C crc = new CRC32C();
    private boolean ended;

    StoreOutput(Put put) throws IOException {
        this.put = put;
        this.file = Files.createTempFile("packing-copy-", ".object");
        this.out = Files.newOutputStream(file);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        out.write(bytes, offset, count);
        crc.update(bytes, offset, count);
    }

    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        try {
            out.close();
            put.put(file, (int) crc.getValue());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Nothing is put. */
    @Override
    public AbortableResult abort() {
        boolean before = ended;
        ended = true;
        IOException failure = null;
        try {
            out.close();
            Files.deleteIfExists(file);
        } catch (IOException e) {
            failure = e;
        }
        return new Aborted(before, failure);
    }

    @Override
    public boolean hasCapability(String capability) {
        return StreamCapabilities.ABORTABLE_STREAM.equals(capability);
    }
}
