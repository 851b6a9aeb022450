// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.bdt.raft.group.Checkpoint;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.util.TimeDuration;

/** A client of a group's members, over Ratis's port. For one thread at a time. */
public final class MemberClient implements AutoCloseable {
    private static final TimeDuration PAUSE = TimeDuration.valueOf(200, TimeUnit.MILLISECONDS);

    private final RaftClient client;

    /**
     * Makes a client of a group.
     *
     * @param peers Raft addresses by members' ids
     * @param tries of each question
     */
    public MemberClient(UUID group, Map<String, String> peers, RatisOptions settings, int tries) {
        this.client = RaftClient.newBuilder()
                .setRaftGroup(RaftGroup.valueOf(RaftGroupId.valueOf(group), peers(peers)))
                .setProperties(settings.properties())
                .setParameters(settings.parameters(new Followers(), WatchedGrpc.Terms.NONE))
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(tries, PAUSE))
                .build();
    }

    static List<RaftPeer> peers(Map<String, String> addresses) {
        return addresses.entrySet().stream()
                .map(each -> peer(each.getKey(), each.getValue()))
                .toList();
    }

    private static RaftPeer peer(String id, String address) {
        return RaftPeer.newBuilder()
                .setId(RaftPeerId.valueOf(id))
                .setAddress(address)
                .build();
    }

    /** A call of Ratis over the network. */
    private interface Call<T> {
        T answer() throws IOException;
    }

    private static <T> T reached(Call<T> call) throws IOException {
        try {
            return call.answer();
        } catch (StatusRuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Message checked(Call<RaftClientReply> call) throws IOException {
        RaftClientReply reply = reached(call);
        if (!reply.isSuccess()) {
            throw reply.getException() == null
                    ? new IOException("refused without a reason: " + reply)
                    : new IOException(reply.getException().getMessage(), reply.getException());
        }
        return reply.getMessage();
    }

    /** Proposes an entry to the leader; returns whether it was accepted. */
    public boolean propose(MasterGroupEntry entry) throws IOException {
        return Proposal.isAccepted(checked(() -> client.io().send(Proposal.of(entry, () -> {}))));
    }

    /** Asks the leader for the state of the group. */
    public MasterGroupState state() throws IOException {
        Message answer = checked(() -> client.io().sendReadOnly(Questions.question(Questions.STATE, 0, "", 0)));
        return MasterGroupState.decode(answer.getContent().toStringUtf8());
    }

    /**
     * Returns the index up to which a member has acknowledged the log to the leader; -1: to none that leads now.
     *
     * @throws IOException when no member leads, or a leader of an older version does not know this question
     */
    public long acknowledged(String member) throws IOException {
        Message answer =
                checked(() -> client.io().sendReadOnly(Questions.question(Questions.ACKNOWLEDGED, 0, member, 0)));
        return answer.getContent().asReadOnlyByteBuffer().getLong();
    }

    /**
     * Returns the greatest commit index that a member has reported to a peer which led; -1: it has reported none. The
     * peer answers without a leader.
     *
     * @throws IOException when the peer does not answer, or is of an older version that does not know this question
     */
    public long reported(String peer, String member) throws IOException {
        return ByteBuffer.wrap(ask(RaftPeerId.valueOf(peer), Questions.REPORTED, 0, member, 0))
                .getLong();
    }

    /** Asks a peer for its groups. */
    public List<UUID> groupsOf(String peer) throws IOException {
        return reached(() ->
                        client.getGroupManagementApi(RaftPeerId.valueOf(peer)).list())
                .getGroupIds()
                .stream()
                .map(RaftGroupId::getUuid)
                .toList();
    }

    /** Asks a peer for the Raft addresses of its group's members, by their ids. */
    public Map<String, String> members(String peer, UUID group) throws IOException {
        return reached(() ->
                        client.getGroupManagementApi(RaftPeerId.valueOf(peer)).info(RaftGroupId.valueOf(group)))
                .getGroup()
                .getPeers()
                .stream()
                .collect(Collectors.toMap(each -> each.getId().toString(), RaftPeer::getAddress));
    }

    /** Adds a peer to the group. */
    public void add(String id, String address) throws IOException {
        Message unused = checked(() -> client.admin()
                .setConfiguration(SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInNewConf(List.of(peer(id, address)))
                        .setMode(SetConfigurationRequest.Mode.ADD)
                        .build()));
    }

    /** Replaces the members of the group. */
    public void replace(Map<String, String> addresses) throws IOException {
        Message unused = checked(() -> client.admin().setConfiguration(peers(addresses)));
    }

    /** Copies the tables of a member; the caller decides when they replace its own. */
    MasterGroupState fetch(String from, ReplicatedTables tables) throws IOException {
        RaftPeerId of = RaftPeerId.valueOf(from);
        byte[] opened = ask(of, Questions.OPEN, 0, "", 0);
        long number;
        MasterGroupState theirs;
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(opened))) {
            number = in.readLong();
            theirs = MasterGroupState.decode(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        MasterGroupState fetched = tables.fetch(theirs, (folder, to) -> {
            int read = 0;
            for (byte[] page = ask(of, Questions.PAGE, number, folder, read);
                    page.length > 0;
                    page = ask(of, Questions.PAGE, number, folder, ++read)) {
                Checkpoint.write(new DataInputStream(new ByteArrayInputStream(page)), to);
            }
        });
        byte[] unused = ask(of, Questions.CLOSE, number, "", 0);
        return fetched;
    }

    /**
     * Asks by a stale read, which every member answers. A leader without a majority, or one that waits for this member,
     * answers no other reads.
     */
    private byte[] ask(RaftPeerId of, int kind, long number, String folder, int page) throws IOException {
        Message question = Questions.question(kind, number, folder, page);
        return checked(() -> client.io().sendStaleRead(question, 0, of))
                .getContent()
                .toByteArray();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
