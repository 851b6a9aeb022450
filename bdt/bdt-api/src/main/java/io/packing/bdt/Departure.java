package io.packing.bdt;

/**
 * A worker of a mount that was told to leave.
 *
 * @param mount the mount's name at the master
 * @param store where the mount's blobs are
 * @param bufferedFiles that it held when it was heard of last
 * @param bufferedBytes likewise
 */
public record Departure(String mount, String store, State state, long bufferedFiles, long bufferedBytes) {
    /** How far it is. */
    public enum State {
        /** It is alive, and pushes what it has. */
        LEAVING,
        /** It holds nothing and has said good-bye. */
        LEFT,
        /** It is not heard of any more, and has not said good-bye: it may hold files that are nowhere else. */
        GONE
    }
}
