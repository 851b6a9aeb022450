// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import java.io.IOException;
import java.io.InputStream;

/** A blob that is there. */
public interface BlobContent {
    /** Returns the number of its bytes. */
    long length();

    /** Returns the source of its bytes. */
    BlobSource source();

    /** Its bytes from a position on; the caller closes the stream. */
    InputStream open(long position) throws IOException;
}
