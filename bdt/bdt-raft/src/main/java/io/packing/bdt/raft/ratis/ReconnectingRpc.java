// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis's gRPC with new connections of a candidate to members that did not answer. A gRPC channel that could not
 * connect waits longer and longer before it tries again, up to two minutes, and fails calls meanwhile. Ratis ends that
 * wait only for the followers of a leader. A candidate would miss the vote of a member that is back, and the group
 * could have no leader for that long.
 *
 * <p>It also limits a close. Ratis waits for its gRPC servers without a limit, and one of them may never end. At the
 * limit the close interrupts this wait, and Ratis closes the rest. At a second limit the close returns, and leaves the
 * rest to the end of the process.
 *
 * @param rpc does the rest
 * @param closeLimit time that a close waits for the servers
 */
record ReconnectingRpc(GrpcServices rpc, Duration closeLimit) implements GrpcServices {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingRpc.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    ReconnectingRpc(GrpcServices rpc) {
        this(rpc, CLOSE_LIMIT);
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        try {
            return rpc.requestVote(request);
        } catch (StatusRuntimeException e) {
            Status.Code code = e.getStatus().getCode();
            if (code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED) {
                rpc.handleException(
                        RaftPeerId.valueOf(request.getServerRequest().getReplyId()), e, true);
            }
            // After other errors the connection is sound. A won election cancels its requests, and the new leader needs
            // the connection.
            if (code != Status.Code.UNAVAILABLE) {
                throw e;
            }
            return rpc.requestVote(request);
        }
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        return rpc.startLeaderElection(request);
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return rpc.appendEntries(request);
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return rpc.installSnapshot(request);
    }

    @Override
    public RaftServerAsynchronousProtocol async() {
        return rpc.async();
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        rpc.addRaftPeers(peers);
    }

    @Override
    public void handleException(RaftPeerId peer, Exception e, boolean reconnect) {
        rpc.handleException(peer, e, reconnect);
    }

    @Override
    public void notifyNotLeader(RaftGroupId group) {
        rpc.notifyNotLeader(group);
    }

    @Override
    public RpcType getRpcType() {
        return rpc.getRpcType();
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return rpc.getInetSocketAddress();
    }

    @Override
    public InetSocketAddress getClientServerAddress() {
        return rpc.getClientServerAddress();
    }

    @Override
    public InetSocketAddress getAdminServerAddress() {
        return rpc.getAdminServerAddress();
    }

    @Override
    public void start() throws IOException {
        rpc.start();
    }

    @Override
    public void close() throws IOException {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closing = new Thread(() -> close(closed), "raft-rpc-close");
        closing.setDaemon(true);
        closing.start();
        try {
            if (!endsInTime(closed)) {
                LOG.warn(
                        "Raft's servers at {} did not end within {}; the wait is broken off",
                        getInetSocketAddress(),
                        closeLimit);
                closing.interrupt();
                if (!endsInTime(closed)) {
                    LOG.warn("Raft's servers at {} are left to the end of the process", getInetSocketAddress());
                }
            }
        } catch (InterruptedException e) {
            closing.interrupt();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the close of Raft's servers was interrupted");
        }
    }

    private void close(CompletableFuture<Void> closed) {
        try {
            rpc.close();
            closed.complete(null);
        } catch (IOException | RuntimeException | Error e) {
            closed.completeExceptionally(e);
        }
    }

    /** Waits for the end of a close up to the limit; returns whether it ended. */
    private boolean endsInTime(CompletableFuture<Void> closed) throws IOException, InterruptedException {
        try {
            closed.get(closeLimit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("Raft's servers did not close", e.getCause());
        }
    }
}
