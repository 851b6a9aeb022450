// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.blob.Extent;

/**
 * The bounds of a repack.
 *
 * @param budgetBytes of files, at most so many are read
 * @param smallerThan files of more bytes stay where they are; at most an extent
 * @param newestMillis files that were modified later stay where they are
 * @param blobBytes at which a blob is complete
 */
public record RepackLimits(long budgetBytes, long smallerThan, long newestMillis, long blobBytes) {
    public RepackLimits {
        if (budgetBytes <= 0 || smallerThan <= 0 || smallerThan > Extent.MAX_LENGTH || blobBytes <= 0) {
            throw new IllegalArgumentException("a budget of %d bytes, for files of at most %d (the most is %d)"
                    .formatted(budgetBytes, smallerThan, Extent.MAX_LENGTH));
        }
    }
}
