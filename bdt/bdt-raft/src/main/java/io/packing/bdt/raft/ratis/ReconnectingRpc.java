package io.packing.bdt.raft.ratis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
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

/**
 * Ratis's gRPC, in which a candidate connects anew to a member that did not answer. A channel of gRPC that could not connect waits longer
 * and longer before it tries again, up to two minutes, and fails calls meanwhile. Ratis ends that wait for the followers of a leader only:
 * a candidate would not get the vote of a member that is back, and the group could be without a leader for that long.
 *
 * @param rpc does the rest
 */
record ReconnectingRpc(GrpcServices rpc) implements GrpcServices {
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
            // Whatever else it is, the connection is sound: an election that is won cancels requests, and its leader
            // needs it.
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
        rpc.close();
    }
}
