package io.packing.cli.demo;

/**
 * Requests that a store answered.
 *
 * @param put PUT, copy, and each step of a multipart upload
 * @param throttled refused with 503; not in the other counts, since nobody pays for them
 * @param bytes body bytes of the writes
 */
public record Requests(long put, long get, long list, long head, long throttled, long bytes) {
    /** What came after {@code earlier}. */
    public Requests since(Requests earlier) {
        return new Requests(
                put - earlier.put,
                get - earlier.get,
                list - earlier.list,
                head - earlier.head,
                throttled - earlier.throttled,
                bytes - earlier.bytes);
    }
}
