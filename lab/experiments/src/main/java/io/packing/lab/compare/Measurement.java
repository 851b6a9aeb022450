// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

/**
 * The measurement of one side.
 *
 * @param files that were written
 * @param size bytes of each
 * @param acknowledgedSeconds from the first write until the last writer had its answer
 * @param seconds from the first write until the last file was durable in the store
 * @param ingest requests from the first write until everything was durable, and the index of it backed up
 * @param readBack requests of reading everything back from cold caches
 * @param verified files that were read back with the bytes that were written
 */
public record Measurement(
        long files,
        long size,
        double acknowledgedSeconds,
        double seconds,
        AnsweredRequests ingest,
        AnsweredRequests readBack,
        long verified) {
    public Measurement {
        if (files < 1
                || size < 1
                || acknowledgedSeconds < 0
                || seconds < acknowledgedSeconds
                || verified < 0
                || verified > files) {
            throw new IllegalArgumentException(
                    "files=%d size=%d seconds=%f verified=%d".formatted(files, size, seconds, verified));
        }
    }

    /** Creates the measurement of a side whose writers have their answers when the files are durable. */
    public Measurement(
            long files, long size, double seconds, AnsweredRequests ingest, AnsweredRequests readBack, long verified) {
        this(files, size, seconds, seconds, ingest, readBack, verified);
    }
}
