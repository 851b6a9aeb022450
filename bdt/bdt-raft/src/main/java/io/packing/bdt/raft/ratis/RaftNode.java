// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.MasterGroup;
import io.packing.bdt.raft.group.LeaderLease;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Raft server of one member: its role, and the entries that it proposes. Thread-safe. */
public final class RaftNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);

    private static final long HAND_OVER_MILLIS = 3_000;
    /** The segments of the log for which a disk needs space after it was full. */
    private static final long SEGMENTS_TO_BEGIN = 4;

    /** A term in which this member leads, with a time not before its election. */
    private record Reign(long term, long since) {}

    private final RaftPeerId id;
    private final RaftGroupId groupId;
    private final RatisOptions settings;
    private final LongSupplier nanos;
    private final LeaderLease lease;
    private final Followers followers = new Followers();
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "bdt-raft");
        thread.setDaemon(true);
        return thread;
    });
    private final ReplicatedTables tables;
    private final ReopenedServer servers;
    private volatile Runnable whenNotLeading = () -> {};
    private volatile @Nullable Reign reign;
    /** The time until which the lease holds at least. */
    private volatile long leased;

    private volatile boolean closing;
    private volatile Optional<String> failure = Optional.empty();

    /**
     * Makes a member that is not started.
     *
     * @param group of the member
     * @param peers Raft addresses by members' ids; empty if this member waits to be added
     */
    public RaftNode(
            String id,
            UUID group,
            Map<String, String> peers,
            RatisOptions settings,
            ReplicatedTables tables,
            LongSupplier nanos)
            throws IOException {
        this.id = RaftPeerId.valueOf(id);
        this.groupId = RaftGroupId.valueOf(group);
        this.settings = settings;
        this.nanos = nanos;
        this.tables = tables;
        this.lease = new LeaderLease(settings.lease().toNanos());
        this.leased = nanos.getAsLong();
        this.servers = new ReopenedServer(
                listener -> make(peers, listener),
                settings.directory(),
                SEGMENTS_TO_BEGIN * settings.segmentBytes(),
                new Watch(),
                threads);
    }

    private RaftServer make(Map<String, String> peers, MasterGroupMachine.Listener listener) throws IOException {
        MemberLog.force(settings.directory(), groupId.getUuid());
        if (tables.index() > tables.saved().index()) {
            // Ratis continues after the saved entry, and the tables of a running process may be ahead of it.
            long unused = tables.save();
        }
        return RaftServer.newBuilder()
                .setServerId(id)
                .setGroup(RaftGroup.valueOf(groupId, MemberClient.peers(peers)))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setStateMachine(new MasterGroupMachine(
                        tables,
                        new Questions(tables, followers, nanos),
                        listener,
                        (of, leader) -> fetch(leader),
                        threads))
                .setProperties(settings.properties())
                .setParameters(settings.parameters(followers, tables::termOf))
                .build();
    }

    private final class Watch implements ReopenedServer.Listener {
        @Override
        public void leads() {
            try {
                reign = new Reign(info().getCurrentTerm(), nanos.getAsLong());
                LOG.info("{} leads the group of masters from term {} on", id, info().getCurrentTerm());
            } catch (IOException e) {
                LOG.warn("{} cannot tell whether it leads", id, e);
            }
        }

        @Override
        public void doesNotLead() {
            if (reign != null) {
                reign = null;
                LOG.info("{} does not lead the group of masters any more", id);
                threads.execute(whenNotLeading);
            }
        }

        @Override
        public void failed(String why, Throwable cause) {
            if (!closing) {
                end("%s (%s); restart this master".formatted(why, cause), cause);
            }
        }

        @Override
        public void full(Throwable cause) {
            end(
                    "its disk is full (%s); free some space, and it goes on by itself".formatted(cause.getMessage()),
                    cause);
        }

        private void end(String why, Throwable cause) {
            failure = Optional.of("member %s of the group of masters: %s".formatted(id, why));
            LOG.error("{}", failure.get(), cause);
            reign = null;
            threads.execute(whenNotLeading);
        }

        @Override
        public void back() {
            LOG.info("member {} of the group of masters takes part again: its disk has space", id);
            failure = Optional.empty();
        }
    }

    /** Begins to listen, and to take part. */
    public void start() throws IOException {
        servers.start();
    }

    /** Sets the work that runs each time this member ceases to lead. */
    public void whenNotLeading(Runnable told) {
        whenNotLeading = told;
    }

    /** Returns the reason for which this member does not take part any more. */
    public Optional<String> failure() {
        return failure;
    }

    private RaftServer.Division division() throws IOException {
        return servers.get().getDivision(groupId);
    }

    private DivisionInfo info() throws IOException {
        return division().getInfo();
    }

    /** Returns the id of the leader, as far as this member knows. */
    public Optional<String> leader() {
        try {
            return Optional.ofNullable(info().getLeaderId()).map(RaftPeerId::toString);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the term in which this member leads and may write; empty if it does not lead. */
    public Optional<Long> leads() {
        Reign now = reign;
        try {
            DivisionInfo info = info();
            return now != null && info.isLeaderReady() && info.getCurrentTerm() == now.term
                    ? Optional.of(now.term)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns whether this member leads, and no other can have led since any event before this call. */
    public boolean mayAnswer() {
        Reign now = reign;
        if (now == null || leads().isEmpty()) {
            return false;
        }
        long time = nanos.getAsLong();
        if (!lease.isFree(now.since, time)) {
            return false;
        }
        if (time - leased >= 0) {
            leased = lease.end(acknowledged(time), time);
        }
        return time - leased < 0;
    }

    private List<Long> acknowledged(long time) {
        try {
            RaftConfiguration members = division().getRaftConf();
            if (!members.getPreviousPeers().isEmpty()) {
                // Members change: majorities of both lists have to acknowledge, so the earlier end of the two counts.
                List<Long> before =
                        acknowledged(members.getPreviousPeers().stream().toList(), time);
                List<Long> after =
                        acknowledged(members.getCurrentPeers().stream().toList(), time);
                return lease.end(before, time) - lease.end(after, time) < 0 ? before : after;
            }
            return acknowledged(members.getCurrentPeers().stream().toList(), time);
        } catch (IOException e) {
            return List.of(time - 2 * lease.nanos(), time - 2 * lease.nanos());
        }
    }

    private List<Long> acknowledged(List<RaftPeer> members, long time) {
        long never = time - 2 * lease.nanos();
        return members.stream()
                .map(RaftPeer::getId)
                .filter(each -> !each.equals(id))
                .map(each ->
                        followers.acknowledgedAgo(each).map(ago -> time - ago).orElse(never))
                .toList();
    }

    /**
     * Returns the standing of the group.
     *
     * @param applied entries that this member applied
     * @param patience nanoseconds without an answer after which a member counts as silent
     */
    public MasterGroup.GroupStanding standing(long applied, long patience) {
        try {
            Collection<RaftPeer> members = division().getRaftConf().getCurrentPeers();
            boolean leads = mayAnswer();
            long silent = members.stream()
                    .map(RaftPeer::getId)
                    .filter(each -> leads && !each.equals(id))
                    .filter(each -> followers.acknowledgedAgo(each).orElse(0L) > patience)
                    .count();
            return new MasterGroup.GroupStanding(leads, info().getCurrentTerm(), applied, members.size(), (int) silent);
        } catch (IOException e) {
            LOG.debug("this member belongs to no group yet", e);
            return new MasterGroup.GroupStanding(false, 0, applied, 0, 0);
        }
    }

    /**
     * Makes all members apply an entry.
     *
     * @param writing runs just before this member changes rows of a table for it
     * @return whether the entry was accepted
     * @throws NotLeaderException if this member does not lead; the entry may get into the log nevertheless
     */
    public boolean propose(MasterGroupEntry entry, Runnable writing) throws IOException {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(id)
                .setGroupId(groupId)
                .setCallId(calls.incrementAndGet())
                .setMessage(Proposal.of(entry, writing))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        RaftClientReply reply;
        try {
            reply = servers.get().submitClientRequestAsync(request).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        } catch (ExecutionException e) {
            throw new NotLeaderException(
                    "the group of masters did not accept a change: " + e.getCause(), Optional.empty(), e);
        }
        if (!reply.isSuccess()) {
            throw new NotLeaderException(
                    "the group of masters did not accept a change: " + reply.getException(), Optional.empty());
        }
        return Proposal.isAccepted(reply.getMessage());
    }

    private MasterGroupState fetch(RaftPeerProto leader) throws IOException {
        Map<String, String> of = Map.of(leader.getId().toStringUtf8(), leader.getAddress());
        try (MemberClient from = new MemberClient(groupId.getUuid(), of, settings, 5)) {
            return from.fetch(leader.getId().toStringUtf8(), tables);
        }
    }

    /**
     * Hands the lead over to the follower with the last acknowledgement, so that the others need no timeout to notice
     * this member's end. It waits for some seconds at most, and does nothing if this member does not lead.
     */
    public void handOver() {
        try {
            Optional<RaftPeerId> next = leads().isEmpty() ? Optional.empty() : successor();
            if (next.isPresent()) {
                RaftClientReply reply = servers.get()
                        .transferLeadership(new TransferLeadershipRequest(
                                client, id, groupId, calls.incrementAndGet(), next.get(), HAND_OVER_MILLIS));
                LOG.info("{} leads the group of masters next: {}", next.get(), reply.isSuccess());
            }
        } catch (IOException e) {
            LOG.info("the group of masters elects its next leader by itself: {}", e.toString());
        }
    }

    private Optional<RaftPeerId> successor() throws IOException {
        return division().getRaftConf().getCurrentPeers().stream()
                .map(RaftPeer::getId)
                .filter(each -> !each.equals(id))
                .filter(each -> followers.acknowledgedAgo(each).orElse(Long.MAX_VALUE) < lease.nanos())
                .min(Comparator.comparing(
                        each -> followers.acknowledgedAgo(each).orElse(Long.MAX_VALUE)));
    }

    /** Returns the Raft addresses of the present members, by their ids. */
    public Map<String, String> members() throws IOException {
        return division().getRaftConf().getCurrentPeers().stream()
                .collect(Collectors.toMap(each -> each.getId().toString(), RaftPeer::getAddress));
    }

    @Override
    public void close() throws IOException {
        closing = true;
        try {
            servers.close();
            tables.close();
        } finally {
            threads.shutdown();
        }
    }
}
