// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** A receiver of every attempt of every request, on the requesting thread, so it must be quick. */
@FunctionalInterface
public interface RequestListener {
    /** A listener that ignores everything. */
    RequestListener NONE = (kind, bytes, outcome) -> {};

    /**
     * Notes the end of one attempt.
     *
     * @param kind of the request
     * @param bytes body bytes sent (PUT) or received (GET) by this attempt; 0 for the other kinds
     * @param outcome of the attempt
     */
    void request(RequestKind kind, long bytes, RequestOutcome outcome);
}
