// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import io.packing.options.PriceTable;
import io.packing.s3server.S3ServerMetrics;

/**
 * Requests that a store answered.
 *
 * @param put PUT, copy, and each step of a multipart upload
 * @param throttled refused with 503; not in the other counts, since nobody pays for them
 * @param bytes body bytes of the writes
 */
public record AnsweredRequests(long put, long get, long list, long head, long throttled, long bytes) {
    /** Returns the requests that a server counted. */
    public static AnsweredRequests of(S3ServerMetrics.Counts counts) {
        return new AnsweredRequests(
                counts.put(), counts.get(), counts.list(), counts.head(), counts.throttled(), counts.bytesIn());
    }

    /** Returns the requests after {@code earlier}. */
    public AnsweredRequests since(AnsweredRequests earlier) {
        return new AnsweredRequests(
                put - earlier.put,
                get - earlier.get,
                list - earlier.list,
                head - earlier.head,
                throttled - earlier.throttled,
                bytes - earlier.bytes);
    }

    /** Returns their cost in dollars. */
    public double dollars(PriceTable prices) {
        return prices.requests(put, list, get, head);
    }

    /** As many times as much, to the nearest whole request. */
    AnsweredRequests times(double factor) {
        return new AnsweredRequests(
                Math.round(put * factor),
                Math.round(get * factor),
                Math.round(list * factor),
                Math.round(head * factor),
                Math.round(throttled * factor),
                Math.round(bytes * factor));
    }
}
