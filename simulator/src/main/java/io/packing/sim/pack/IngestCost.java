package io.packing.sim.pack;

/**
 * What an ingest takes.
 *
 * @param seconds from the first file's arrival until the last one is durable in the store
 * @param puts PUT-class requests, everything included
 * @param backupPuts of them, for backups of the table
 * @param objects that are stored at the end
 * @param storedBytes at the end
 * @param objectBytes of one data object, on average
 * @param requestDollars for the requests
 * @param uploadDollars for the bytes uploaded
 * @param storageDollars for storing it for a month
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
    /** The first month's bill. */
    public double dollars() {
        return requestDollars + uploadDollars + storageDollars;
    }
}
