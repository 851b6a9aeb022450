// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.util.List;
import java.util.Map;

/**
 * The requests to a server so far.
 *
 * @param prefixes counts by the first component of the object key or listed prefix; {@code ""} for requests without one
 * @param seconds PUT-class requests in each second, from the first such request until now
 */
public record S3ServerMetrics(Map<String, Counts> prefixes, List<Second> seconds) {
    public S3ServerMetrics {
        prefixes = Map.copyOf(prefixes);
        seconds = List.copyOf(seconds);
    }

    /**
     * The requests by kind, without the throttled ones, since stores do not bill those.
     *
     * @param put writes: put, copy, multipart start, part, completion
     * @param bytesIn body bytes of writes, as sent
     * @param bytesOut body bytes of answers
     */
    public record Counts(
            long put, long get, long list, long head, long delete, long throttled, long bytesIn, long bytesOut) {
        /** The counts without any request. */
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

    /** The PUT-class requests of one second that the server admitted or refused. */
    public record Second(long put, long throttled) {}

    /** Returns the counts of one prefix. */
    public Counts prefix(String name) {
        return prefixes.getOrDefault(name, Counts.NONE);
    }

    /** Returns the counts of all prefixes together. */
    public Counts total() {
        return prefixes.values().stream().reduce(Counts.NONE, Counts::plus);
    }
}
