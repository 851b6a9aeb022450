package io.packing.bdt;

/**
 * What a worker did for a mount since its process opened it.
 *
 * @param sinceMillis when that was, in ms since 1970
 * @param oldestMillis for how long the oldest file waits that is in no blob of the store yet; 0: none waits
 * @param pushedFiles files that are in pushed blobs
 * @param pushedBytes bytes of pushed blobs
 * @param requests to the store of the mount
 */
public record WorkerActivity(
        long sinceMillis, long oldestMillis, long pushedFiles, long pushedBytes, StoreRequests requests) {
    /** That of a worker that tells nothing, as one of an older version. */
    public static final WorkerActivity NONE = new WorkerActivity(0, 0, 0, 0, StoreRequests.NONE);

    /** @throws IllegalArgumentException when a number is negative */
    public WorkerActivity {
        if (Math.min(Math.min(sinceMillis, oldestMillis), Math.min(pushedFiles, pushedBytes)) < 0) {
            throw new IllegalArgumentException("a negative number in what a worker did");
        }
    }
}
