// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import java.util.List;

/**
 * The time for which a leader may answer. Each member computes with its own clock. Members' clocks need not agree, but
 * must run at about one speed.
 *
 * <p>A follower that acknowledges a message had not voted for another leader when the message was sent. The leader
 * takes the latest time T such that a majority has acknowledged messages sent at T or later. Until T plus a lease, any
 * other leader was elected less than a lease ago, and does not answer yet: a new leader waits for a lease.
 *
 * @param nanos the length of a lease
 */
public record LeaderLease(long nanos) {
    /**
     * Returns the end of a leader's lease, on the clock of its arguments.
     *
     * @param sent time of the last acknowledged message to each other voter
     * @param now for a group of one
     */
    public long end(List<Long> sent, long now) {
        if (sent.isEmpty()) {
            return now + nanos;
        }
        List<Long> latestFirst =
                sent.stream().sorted((a, b) -> Long.signum(b - a)).toList();
        // With this member itself, this number of others is a majority.
        int others = (sent.size() + 1) / 2;
        return latestFirst.get(others - 1) + nanos;
    }

    /**
     * Returns whether a leader may answer now by the time of its election: by then any earlier leader's lease has
     * ended.
     */
    public boolean isFree(long elected, long now) {
        return now - elected > nanos;
    }
}
