// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;

/** A leader's record of its followers. Thread-safe. */
final class Followers {
    private final Map<RaftPeerId, FollowerInfo> all = new ConcurrentHashMap<>();

    void add(FollowerInfo follower) {
        all.put(follower.getId(), follower);
    }

    /** Returns the index up to which a member has acknowledged the log to this one, which leads; -1: it has acknowledged nothing. */
    long acknowledgedIndex(String member) {
        return Optional.ofNullable(all.get(RaftPeerId.valueOf(member)))
                .map(FollowerInfo::getMatchIndex)
                .orElse(-1L);
    }

    /**
     * Returns the age of the last acknowledged message to a voter, in nanoseconds; empty if it has acknowledged none.
     */
    Optional<Long> acknowledgedAgo(RaftPeerId voter) {
        return Optional.ofNullable(all.get(voter))
                // Ratis counts whole milliseconds.
                .map(follower -> 1_000_000
                        * (1 + follower.getLastRespondedAppendEntriesSendTime().elapsedTimeMs()));
    }
}
