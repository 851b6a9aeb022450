// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** The compression of a layer's tar stream, as the first bytes of the layer show it. */
public enum LayerCompression {
    /** Not at all, or in a way that is not known here. */
    NONE,
    GZIP,
    ZSTD;

    /** So many bytes tell. */
    static final int MAGIC = 4;

    private static final int BUFFER = 256 << 10;

    static LayerCompression of(byte[] start) {
        if (start.length > 2 && start[0] == 0x1f && (start[1] & 0xff) == 0x8b) {
            return GZIP;
        }
        boolean zstd = start.length >= MAGIC
                && (start[0] & 0xff) == 0x28
                && (start[1] & 0xff) == 0xb5
                && start[2] == 0x2f
                && (start[3] & 0xff) == 0xfd;
        return zstd ? ZSTD : NONE;
    }

    /** Looks at the bytes that come next in a stream with marks. */
    static LayerCompression of(InputStream blob) throws IOException {
        blob.mark(MAGIC);
        byte[] start = blob.readNBytes(MAGIC);
        blob.reset();
        return of(start);
    }

    /** Returns the decompressed stream. */
    InputStream tar(InputStream blob) throws IOException {
        return switch (this) {
            case NONE -> blob;
            case GZIP -> new BufferedInputStream(new GZIPInputStream(blob, BUFFER), BUFFER);
            case ZSTD -> new BufferedInputStream(new ZstdInputStream(blob), BUFFER);
        };
    }
}
