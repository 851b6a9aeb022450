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
    /** The commit indices that members reported to this one when it led before. */
    private final Map<RaftPeerId, Long> reportedBefore = new ConcurrentHashMap<>();

    void add(FollowerInfo follower) {
        FollowerInfo before = all.put(follower.getId(), follower);
        if (before != null) {
            Long unused = reportedBefore.merge(follower.getId(), before.getCommitIndex(), Math::max);
        }
    }

    /** Returns the index up to which a member has acknowledged the log to this one, which leads; -1: it has acknowledged nothing. */
    long acknowledgedIndex(String member) {
        return Optional.ofNullable(all.get(RaftPeerId.valueOf(member)))
                .map(FollowerInfo::getMatchIndex)
                .orElse(-1L);
    }

    /**
     * Returns the greatest commit index that a member has ever reported to this one, which need not lead any more; -1:
     * it has reported none. The member's log had each entry up to it, and no leader removes committed entries.
     */
    long reportedCommitIndex(String member) {
        RaftPeerId id = RaftPeerId.valueOf(member);
        long before = reportedBefore.getOrDefault(id, -1L);
        return Optional.ofNullable(all.get(id))
                .map(follower -> Math.max(before, follower.getCommitIndex()))
                .orElse(before);
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
