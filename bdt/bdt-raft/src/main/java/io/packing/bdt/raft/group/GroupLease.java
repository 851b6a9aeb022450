package io.packing.bdt.raft.group;

import java.util.List;

/**
 * For how long a leader may answer. What a member computes with it holds on its own clock; members' clocks need not agree, only run at
 * about the same speed.
 *
 * <p>A follower that acknowledged a message had not voted for another leader by the time when the message was sent. So, until a lease
 * after the latest time at which messages to most members were sent that they acknowledged, no other leader may have been
 * elected for longer than a lease; and a new leader waits that long before it answers.
 *
 * @param nanos the length of a lease
 */
public record GroupLease(long nanos) {
    /**
     * When a leader's lease ends, on the clock of its arguments.
     *
     * @param sent when the last message was sent to each other voter that acknowledged it
     * @param now for a group of one
     */
    public long end(List<Long> sent, long now) {
        if (sent.isEmpty()) {
            return now + nanos;
        }
        List<Long> latestFirst =
                sent.stream().sorted((a, b) -> Long.signum(b - a)).toList();
        // With this member itself, so many others make most of all.
        int others = (sent.size() + 1) / 2;
        return latestFirst.get(others - 1) + nanos;
    }

    /** Whether a leader that was elected then may answer now, whoever led before. */
    public boolean isFree(long elected, long now) {
        return now - elected > nanos;
    }
}
