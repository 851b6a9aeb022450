// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.BlobName;
import java.time.Duration;
import java.util.Optional;

/**
 * A blob in a table.
 *
 * @param number of the blob in extents
 * @param length in bytes
 * @param live stored bytes that files need, as the table counts them
 * @param settled true if a worker reported all its files
 * @param graceLeft of a blob without live bytes: the shortest time to the end of its grace period
 * @param backedUp of a blob without live bytes: true if no kept backup names it
 */
public record ScannedBlob(
        long number,
        BlobName name,
        long length,
        long live,
        boolean settled,
        Optional<Duration> graceLeft,
        boolean backedUp) {}
