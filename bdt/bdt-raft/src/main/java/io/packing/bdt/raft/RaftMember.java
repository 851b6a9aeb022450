// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import com.google.common.net.HostAndPort;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterGroup;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.master.MountTables;
import io.packing.bdt.master.Stores;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.MemberFile;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.bdt.raft.ratis.MemberClient;
import io.packing.bdt.raft.ratis.RaftNode;
import io.packing.bdt.raft.ratis.RatisOptions;
import io.packing.durable.DirectoryLock;
import io.packing.durable.DurableDirectory;
import io.packing.transport.Security;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member of a group of BDT masters that agree by Raft. Thread-safe. */
public final class RaftMember implements MasterGroup {
    private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);
    private static final long PAUSE_MILLIS = 500;
    /** The pause between two questions of a member without a leader whether the group has removed it. */
    private static final long LOOK_MILLIS = 1_000;
    /** The leases without a leader after which operators see a problem. */
    private static final int PATIENCE = 10;

    private final String named;
    private final MasterGroupOptions terms;
    private final RatisOptions settings;
    private final MemberFile file;
    private final ReplicatedTables tables;
    private final RaftNode node;
    private final RaftTables mounts;
    private final MasterGroupTexts texts;
    private final DirectoryLock lock;
    private final LongSupplier nanos;
    private final CountDownLatch closing;
    private final Removal removal;
    private volatile long led;
    private volatile Optional<String> refused = Optional.empty();

    private RaftMember(
            String named,
            MasterGroupOptions terms,
            RatisOptions settings,
            MemberFile file,
            ReplicatedTables tables,
            RaftNode node,
            RaftTables mounts,
            MasterGroupTexts texts,
            DirectoryLock lock,
            LongSupplier nanos,
            CountDownLatch closing) {
        this.named = named;
        this.terms = terms;
        this.settings = settings;
        this.file = file;
        this.tables = tables;
        this.node = node;
        this.mounts = mounts;
        this.texts = texts;
        this.lock = lock;
        this.nanos = nanos;
        this.closing = closing;
        this.removal = new Removal(terms, settings, UUID.fromString(file.group()), tables, node);
        this.led = nanos.getAsLong();
    }

    /** Parameters of a member that no operator needs to change. */
    public record Tuning(int entriesPerSnapshot, int segmentBytes) {
        public static final Tuning USUAL = new Tuning(1_000, 16 << 20);
    }

    /**
     * Starts a member, which takes part in the group at once. It answers no client before {@link #serving}.
     *
     * @throws IllegalArgumentException if its list or its directory conflicts with the other members', with the remedy
     */
    public static RaftMember start(
            BdtMasterOptions config, MasterGroupOptions terms, Stores stores, Tuning tuning, LongSupplier nanos)
            throws IOException {
        Path directory = config.dataDir().resolve("raft");
        RatisOptions settings = settings(config, terms, directory, tuning);
        DurableDirectory.create(directory);
        DirectoryLock lock = DirectoryLock.acquire(directory, "lock");
        try {
            MemberFile file = new Joining(terms, settings).start(directory);
            CountDownLatch closing = new CountDownLatch(1);
            ReplicatedTables.Opener opener = folder -> stores.sorted(folder, config.store());
            ReplicatedTables tables = ReplicatedTables.open(directory, opener, () -> pause(closing));
            Map<String, String> peers = terms.join() ? Map.of() : Joining.addresses(terms.peers());
            RaftNode node = new RaftNode(terms.id(), UUID.fromString(file.group()), peers, settings, tables, nanos);
            Proposing proposing = new Proposing(node);
            RaftTables mounts = new RaftTables(file.group(), config.dataDir(), tables, opener, proposing);
            RaftMember member = new RaftMember(
                    config.lease().address(),
                    terms,
                    settings,
                    file,
                    tables,
                    node,
                    mounts,
                    new MasterGroupTexts(tables, proposing),
                    lock,
                    nanos,
                    closing);
            node.start();
            inBackground("bdt-raft-removal", member::watchRemoval);
            return member;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static RatisOptions settings(
            BdtMasterOptions config, MasterGroupOptions terms, Path directory, Tuning tuning) {
        HostAndPort bind = terms.bind().orElse(terms.own());
        InetSocketAddress address = new InetSocketAddress(bind.getHost(), bind.getPort());
        boolean local = address.getAddress() != null && address.getAddress().isLoopbackAddress();
        Security security = config.access().security();
        if (security.tls().isEmpty() && !local && !security.insecure()) {
            throw new IllegalArgumentException(
                    ("refused to speak Raft at %s without TLS: any client that reaches it could write everything. Set bdt.tls.trust,"
                                    + " bdt.tls.certificate and bdt.tls.key, or, on a network that you trust as a whole,"
                                    + " bdt.insecure=true")
                            .formatted(bind));
        }
        return new RatisOptions(
                directory.resolve("log"),
                bind.getHost(),
                bind.getPort(),
                terms.lease(),
                tuning.entriesPerSnapshot(),
                tuning.segmentBytes(),
                security.tls());
    }

    private static void pause(CountDownLatch closing) throws IOException {
        try {
            if (closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new UnavailableException("the master is stopping");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
    }

    private record Proposing(RaftNode node) implements RaftTables.Proposals {
        @Override
        public Optional<Long> term() {
            return node.leads();
        }

        @Override
        public NotLeaderException notLeader() {
            return new NotLeaderException("this master does not lead its group any more", Optional.empty());
        }

        @Override
        public boolean propose(MasterGroupEntry entry, Runnable writing) throws IOException {
            return node.propose(entry, writing);
        }
    }

    @Override
    public MountTables tables() {
        return mounts;
    }

    @Override
    public MasterTexts texts() {
        return texts;
    }

    @Override
    public boolean leads() {
        return node.leads().isPresent();
    }

    @Override
    public Optional<NotLeaderException> refusal() {
        if (node.mayAnswer()) {
            return Optional.empty();
        }
        Optional<NotLeaderException> removed = removal.refusal();
        if (removed.isPresent()) {
            return removed;
        }
        Optional<String> leader = node.leader();
        if (leader.isEmpty()) {
            return Optional.of(new NotLeaderException("no master leads the group at the moment", Optional.empty()));
        }
        if (leader.get().equals(terms.id())) {
            return Optional.of(new NotLeaderException(
                    "this master leads the group, but may not answer yet, or not any more", Optional.empty()));
        }
        return Optional.of(new NotLeaderException(
                "member %s leads the group of masters".formatted(leader.get()),
                tables.member(leader.get()).map(MasterGroupState.Member::address)));
    }

    @Override
    public void whenNotLeading(Runnable told) {
        node.whenNotLeading(told);
    }

    @Override
    public void serving(String host, int port) {
        String address = address(host, port);
        inBackground("bdt-raft-announce", () -> announce(address));
    }

    private static void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void watchRemoval() {
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                removal.step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("this master cannot tell any more whether it is one of its group", e);
            refused = Optional.of(
                    "this master cannot tell any more whether it is one of its group (%s); restart it".formatted(e));
        }
    }

    /** Returns the address for clients: the operator's, or the one on which this master listens. */
    private String address(String host, int port) {
        if (!named.isEmpty()) {
            HostAndPort said = HostAndPort.fromString(named);
            return HostAndPort.fromParts(said.getHost(), said.getPortOrDefault(port))
                    .toString();
        }
        InetSocketAddress bound = new InetSocketAddress(host, port);
        boolean everywhere = bound.getAddress() != null && bound.getAddress().isAnyLocalAddress();
        return HostAndPort.fromParts(everywhere ? terms.own().getHost() : host, port)
                .toString();
    }

    /** Announces this start to the group, once it has a leader. */
    private void announce(String address) {
        MasterGroupEntry.Member self = new MasterGroupEntry.Member(file.id(), file.instance(), file.starts(), address);
        try {
            if (!isAccepted(self)) {
                refuse();
                return;
            }
            // The others may have accepted the start without this member, whose vote does not count before it has the
            // log.
            while (starts(file.id()) < file.starts()) {
                pause(closing);
            }
            LOG.info(
                    "the group of masters knows of start {} of member {}, which has the log", file.starts(), file.id());
        } catch (IOException e) {
            LOG.debug("the group of masters does not know of this start", e);
        } catch (RuntimeException | Error e) {
            LOG.error("the group of masters does not know of this start", e);
            refused = Optional.of(
                    "the group of masters does not know of this start (%s); restart this master".formatted(e));
        }
    }

    /**
     * Asks until the group has answered whether it accepts this start.
     *
     * @throws IOException if this member stops first
     */
    private boolean isAccepted(MasterGroupEntry.Member self) throws IOException {
        boolean told = false;
        while (true) {
            try (MemberClient client = new MemberClient(UUID.fromString(file.group()), known(), settings, 3)) {
                if (terms.join()) {
                    client.add(terms.id(), terms.own().toString());
                }
                return client.propose(self) || isKnown(client, self);
            } catch (IOException e) {
                if (!told) {
                    told = true;
                    LOG.info("the group of masters has no leader yet: {}", e.toString());
                }
            }
            pause(closing);
        }
    }

    /** Returns whether the group accepted this start before: that answer may have been lost. */
    private static boolean isKnown(MemberClient client, MasterGroupEntry.Member self) throws IOException {
        return client.state().knows(self);
    }

    private void refuse() {
        refused = Optional.of(Joining.oldDisk(terms.id()));
        LOG.error("{}", refused.get());
        closeNode();
    }

    private Map<String, String> known() {
        Map<String, String> known = new HashMap<>(Joining.addresses(terms.peers()));
        try {
            known.putAll(node.members());
        } catch (IOException e) {
            LOG.debug("the members are those of the list", e);
        }
        return known;
    }

    /** Returns the index of the last entry that this member applied. */
    long applied() {
        return tables.index();
    }

    /** Returns the number of a member's starts that this one knows. */
    long starts(String member) {
        return tables.member(member).map(MasterGroupState.Member::starts).orElse(0L);
    }

    @Override
    public Optional<String> problem() {
        if (refused.isPresent()) {
            return refused;
        }
        if (removal.problem().isPresent()) {
            return removal.problem();
        }
        if (node.failure().isPresent()) {
            return node.failure();
        }
        long now = nanos.getAsLong();
        if (node.leader().isPresent()) {
            led = now;
        }
        return now - led > PATIENCE * terms.lease().toNanos()
                ? Optional.of(
                        "no master leads the group: start most of %s, and let them reach each other".formatted(known()))
                : Optional.empty();
    }

    @Override
    public GroupStanding standing() {
        return node.standing(applied(), PATIENCE * terms.lease().toNanos());
    }

    @Override
    public void close() {
        closing.countDown();
        node.handOver();
        closeNode();
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the directory could not be unlocked", e);
        }
    }

    private void closeNode() {
        try {
            node.close();
        } catch (IOException e) {
            LOG.warn("Raft did not close cleanly; the next start repairs that", e);
        }
    }
}
