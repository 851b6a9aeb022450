// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import java.util.Optional;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * Ratis's gRPC with two additions. It reports the followers of a leader. It also finds the terms of entries that the
 * log has purged. Without these terms, a follower with just the entries before the leader's log would have to fetch the
 * tables again and again. Candidates {@linkplain ReconnectingRpc connect anew} to members that were away. Ratis makes
 * this class by its name.
 *
 * <p>Ratis has a lease and linearizable reads of its own, which are not used. After the end of its lease, a leader
 * without newer commits answers such a read without asking any member ({@code ReadIndexHeartbeats}).
 */
public final class WatchedGrpc implements RpcType {
    private static final String FOLLOWERS = "packing.followers";

    private static final String TERMS = "packing.terms";

    /** A source of the terms of entries. */
    interface Terms {
        Terms NONE = index -> Optional.empty();

        Optional<Long> termOf(long index);
    }

    static void watch(Parameters parameters, Followers followers, Terms terms) {
        parameters.put(FOLLOWERS, followers, Followers.class);
        parameters.put(TERMS, terms, Terms.class);
    }

    @Override
    public String name() {
        return WatchedGrpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        Followers followers = parameters.get(FOLLOWERS, Followers.class);
        Terms terms = parameters.get(TERMS, Terms.class);
        return new GrpcFactory(parameters) {
            @Override
            public GrpcServices newRaftServerRpc(RaftServer server) {
                return new ReconnectingRpc(super.newRaftServerRpc(server));
            }

            @Override
            public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
                followers.add(follower);
                return new Appender(server, state, follower, terms);
            }
        };
    }

    private static final class Appender extends GrpcLogAppender {
        private final Terms terms;

        Appender(RaftServer.Division server, LeaderState state, FollowerInfo follower, Terms terms) {
            super(server, state, follower);
            this.terms = terms;
        }

        /** Returns the server; the constructor above this one calls it, too. */
        @Override
        public GrpcServicesImpl getServerRpc() {
            return (GrpcServicesImpl)
                    ((ReconnectingRpc) getServer().getRaftServer().getServerRpc()).rpc();
        }

        @Override
        public @Nullable TermIndex getPrevious(long nextIndex) {
            TermIndex known = super.getPrevious(nextIndex);
            if (known != null || nextIndex == 0) {
                return known;
            }
            return terms.termOf(nextIndex - 1)
                    .map(term -> TermIndex.valueOf(term, nextIndex - 1))
                    .orElse(null);
        }
    }
}
