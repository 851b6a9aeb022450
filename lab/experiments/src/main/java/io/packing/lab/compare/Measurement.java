package io.packing.lab.compare;

/**
 * The measurement of one side.
 *
 * @param files that were written
 * @param size bytes of each
 * @param seconds from the first write until the last file was durable in the store
 * @param ingest requests from the first write until everything was durable, and the index of it backed up
 * @param readBack requests of reading everything back from cold caches
 * @param verified files that were read back with the bytes that were written
 */
public record Measurement(
        long files, long size, double seconds, AnsweredRequests ingest, AnsweredRequests readBack, long verified) {
    public Measurement {
        if (files < 1 || size < 1 || seconds < 0 || verified < 0 || verified > files) {
            throw new IllegalArgumentException(
                    "files=%d size=%d seconds=%f verified=%d".formatted(files, size, seconds, verified));
        }
    }
}
