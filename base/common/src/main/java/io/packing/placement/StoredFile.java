// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

/**
 * A content that layers share.
 *
 * @param id its hash, in the form of its store
 * @param bytes its length
 */
public record StoredFile(String id, long bytes) {
    public StoredFile {
        if (bytes < 0 || id.isEmpty()) {
            throw new IllegalArgumentException("a file '%s' of %d bytes".formatted(id, bytes));
        }
    }
}
