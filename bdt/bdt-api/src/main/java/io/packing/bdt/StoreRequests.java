package io.packing.bdt;

/**
 * Requests to an object store.
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

    /** @throws IllegalArgumentException when a count is negative */
    public StoreRequests {
        if (Math.min(
                        Math.min(Math.min(puts, lists), Math.min(gets, heads)),
                        Math.min(deletes, Math.min(throttled, failed)))
                < 0) {
            throw new IllegalArgumentException("a negative count of requests");
        }
    }

    public StoreRequests plus(StoreRequests other) {
        return new StoreRequests(
                puts + other.puts,
                lists + other.lists,
                gets + other.gets,
                heads + other.heads,
                deletes + other.deletes,
                throttled + other.throttled,
                failed + other.failed);
    }

    /** What came since an earlier count of the same requests; none of a kind that is smaller by now. */
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
