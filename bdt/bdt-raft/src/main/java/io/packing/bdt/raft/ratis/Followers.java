package io.packing.bdt.raft.ratis;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.FollowerInfo;

/** What this member knows of the others while it leads. Thread-safe. */
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

    /** How long ago the last message was sent to it that it acknowledged, nanoseconds; empty: none was. */
    Optional<Long> acknowledgedAgo(RaftPeerId voter) {
        return Optional.ofNullable(all.get(voter))
                // It counts in whole milliseconds.
                .map(follower -> 1_000_000
                        * (1 + follower.getLastRespondedAppendEntriesSendTime().elapsedTimeMs()));
    }
}
