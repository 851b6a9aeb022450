// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.blob.BlobName;
import java.io.IOException;

/** A lookup of blobs' names, with or without a cache. */
public interface BlobNaming {
    /**
     * Returns the name of a blob.
     *
     * @throws ContradictionException if the table names the number, and does not know the blob
     */
    BlobName name(long number) throws IOException;
}
