// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/**
 * The cost of an ingest.
 *
 * @param seconds from the first file's arrival until the store has the last one
 * @param puts PUT-class requests, everything included
 * @param backupPuts of them, for backups of the table
 * @param objects that are stored at the end
 * @param storedBytes at the end
 * @param objectBytes of one data object, on average
 * @param requestDollars for the requests
 * @param uploadDollars for the bytes uploaded
 * @param storageDollars for a month of storage
 */
public record IngestCost(
        double seconds,
        double puts,
        double backupPuts,
        double objects,
        double storedBytes,
        double objectBytes,
        double requestDollars,
        double uploadDollars,
        double storageDollars) {
    /** Returns the first month's bill. */
    public double dollars() {
        return requestDollars + uploadDollars + storageDollars;
    }
}
