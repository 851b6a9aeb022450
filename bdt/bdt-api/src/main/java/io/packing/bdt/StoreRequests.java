// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import com.google.common.math.LongMath;

/**
 * The numbers of requests to an object store.
 *
 * @param puts answered writes, every part of a multipart upload included
 * @param lists answered pages of listings
 * @param gets answered reads
 * @param heads answered questions about one object
 * @param deletes answered deletes
 * @param throttled refused attempts of any kind: the store asks for fewer
 * @param failed attempts of any kind that failed otherwise
 */
public record StoreRequests(long puts, long lists, long gets, long heads, long deletes, long throttled, long failed) {
    public static final StoreRequests NONE = new StoreRequests(0, 0, 0, 0, 0, 0, 0);

    /**
     * Checks the counts.
     *
     * @throws IllegalArgumentException when a count is negative
     */
    public StoreRequests {
        if (Math.min(
                        Math.min(Math.min(puts, lists), Math.min(gets, heads)),
                        Math.min(deletes, Math.min(throttled, failed)))
                < 0) {
            throw new IllegalArgumentException("a negative count of requests");
        }
    }

    /** Returns the sum; a count that would overflow stays at the largest number. */
    public StoreRequests plus(StoreRequests other) {
        return new StoreRequests(
                LongMath.saturatedAdd(puts, other.puts),
                LongMath.saturatedAdd(lists, other.lists),
                LongMath.saturatedAdd(gets, other.gets),
                LongMath.saturatedAdd(heads, other.heads),
                LongMath.saturatedAdd(deletes, other.deletes),
                LongMath.saturatedAdd(throttled, other.throttled),
                LongMath.saturatedAdd(failed, other.failed));
    }

    /** Returns the difference to an earlier count; 0 for a kind that is smaller by now. */
    public StoreRequests since(StoreRequests earlier) {
        return new StoreRequests(
                Math.max(0, puts - earlier.puts),
                Math.max(0, lists - earlier.lists),
                Math.max(0, gets - earlier.gets),
                Math.max(0, heads - earlier.heads),
                Math.max(0, deletes - earlier.deletes),
                Math.max(0, throttled - earlier.throttled),
                Math.max(0, failed - earlier.failed));
    }
}
