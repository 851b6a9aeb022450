package io.packing.registry.store;

import java.io.IOException;
import java.io.InputStream;

/** A blob that is there. */
public interface BlobContent {
    /** Bytes. */
    long length();

    /** Where its bytes come from. */
    BlobSource source();

    /** Its bytes from a position on; the caller closes the stream. */
    InputStream open(long position) throws IOException;
}
