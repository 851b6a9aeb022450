package io.packing.bdt;

import io.packing.blob.BlobName;
import java.time.Duration;
import java.util.Optional;

/**
 * A blob as a table has it.
 *
 * @param number by which extents name it
 * @param length in bytes
 * @param live stored bytes that files need, as the table counts them
 * @param settled whether a worker reported all its files
 * @param graceLeft of a blob without live bytes: how soon the grace period ends at the earliest
 * @param backedUp of a blob without live bytes: whether no backup that is kept names it
 */
public record ScannedBlob(
        long number,
        BlobName name,
        long length,
        long live,
        boolean settled,
        Optional<Duration> graceLeft,
        boolean backedUp) {}
