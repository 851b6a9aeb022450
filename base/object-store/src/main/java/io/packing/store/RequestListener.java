package io.packing.store;

/** Hears of every attempt of every request; called from the requesting thread, so it must be quick. */
@FunctionalInterface
public interface RequestListener {
    /** A listener that ignores everything. */
    RequestListener NONE = (kind, bytes, outcome) -> {};

    /**
     * One attempt ended.
     *
     * @param kind what was asked
     * @param bytes body bytes sent (PUT) or received (GET) by this attempt; 0 for the other kinds
     * @param outcome how it ended
     */
    void request(RequestKind kind, long bytes, RequestOutcome outcome);
}
