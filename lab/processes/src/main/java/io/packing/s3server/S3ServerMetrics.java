package io.packing.s3server;

import java.util.List;
import java.util.Map;

/**
 * What a server was asked so far.
 *
 * @param prefixes by the first component of the object key or listed prefix; {@code ""} for requests without one
 * @param seconds PUT-class requests over time, from the first such request until now; seconds without any are zero
 */
public record S3ServerMetrics(Map<String, Counts> prefixes, List<Second> seconds) {
    public S3ServerMetrics {
        prefixes = Map.copyOf(prefixes);
        seconds = List.copyOf(seconds);
    }

    /**
     * Requests by kind, throttled ones not included: stores do not bill them.
     *
     * @param put writes: put, copy, multipart start, part, completion
     * @param bytesIn body bytes of writes, as sent
     * @param bytesOut body bytes of answers
     */
    public record Counts(
            long put, long get, long list, long head, long delete, long throttled, long bytesIn, long bytesOut) {
        /** No requests. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    put + other.put,
                    get + other.get,
                    list + other.list,
                    head + other.head,
                    delete + other.delete,
                    throttled + other.throttled,
                    bytesIn + other.bytesIn,
                    bytesOut + other.bytesOut);
        }
    }

    /** PUT-class requests that were served and refused in one second. */
    public record Second(long put, long throttled) {}

    /** The counts of one prefix. */
    public Counts prefix(String name) {
        return prefixes.getOrDefault(name, Counts.NONE);
    }

    /** The counts of all prefixes together. */
    public Counts total() {
        return prefixes.values().stream().reduce(Counts.NONE, Counts::plus);
    }
}
