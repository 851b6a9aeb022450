// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes of a blob that were read with one request; what of them is damaged is read again by itself. */
public record BlobWindow(RangeSource blob, Decoding decoding, long start, ByteBuffer bytes) implements RangeSource {
    /** Reads a window. */
    public static BlobWindow read(RangeSource blob, Decoding decoding, long start, int length) throws IOException {
        return new BlobWindow(blob, decoding, start, blob.read(start, length).slice());
    }

    @Override
    public String name() {
        return blob.name();
    }

    @Override
    public long length() throws IOException {
        return blob.length();
    }

    /** Fewer bytes when the answer was too short. */
    @Override
    public ByteBuffer read(long offset, int count) {
        int from = (int) Math.min(offset - start, bytes.limit());
        return Slices.of(bytes, from, Math.min(count, bytes.limit() - from));
    }

    @Override
    public ByteBuffer readAgain(long offset, int count) throws IOException {
        return blob.readAgain(offset, count);
    }
}
