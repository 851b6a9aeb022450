// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.options.PriceTable;

/**
 * The numbers of requests that a store bills by kind, and of those that it does not bill.
 *
 * @param puts answered writes: each part of a multipart upload is one, and its start and its completion
 * @param lists answered pages of listings
 * @param gets answered reads
 * @param heads answered questions, which cost as much as reads
 * @param deletes answered deletes, which are free
 * @param throttled refused attempts, of which a client made another one
 * @param failed attempts that the store could not answer
 */
public record BilledRequests(long puts, long lists, long gets, long heads, long deletes, long throttled, long failed) {
    public static final BilledRequests NONE = new BilledRequests(0, 0, 0, 0, 0, 0, 0);

    /** Returns the sum of both. */
    public BilledRequests plus(BilledRequests other) {
        return new BilledRequests(
                puts + other.puts,
                lists + other.lists,
                gets + other.gets,
                heads + other.heads,
                deletes + other.deletes,
                throttled + other.throttled,
                failed + other.failed);
    }

    /** Returns the dollars for the requests that are billed. */
    public double dollars(PriceTable prices) {
        return prices.requests(puts, lists, gets, heads);
    }

    /** Returns the dollars for the writes among them: PUTs and listings, which precede writes. */
    public double writeDollars(PriceTable prices) {
        return prices.requests(puts, lists, 0, 0);
    }
}
