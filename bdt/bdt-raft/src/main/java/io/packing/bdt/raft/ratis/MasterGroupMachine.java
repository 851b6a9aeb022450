// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of a group as Ratis's state machine. It only translates; Ratis applies entries by one thread. */
final class MasterGroupMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(MasterGroupMachine.class);

    /** A listener to this member's changes of role. Its methods return quickly. */
    interface Listener {
        void leads();

        void doesNotLead();

        /** Learns that this member does not take part any more. */
        void failed(String why, Throwable cause);
    }

    /** A way to copy the tables of a leader. */
    interface Fetching {
        MasterGroupState fetch(RaftGroupId group, RaftPeerProto leader) throws IOException;
    }

    private final ReplicatedTables tables;
    private final Questions questions;
    private final Listener listener;
    private final Fetching fetching;
    private final Executor threads;
    private final AtomicReference<@Nullable MasterGroupState> fetched = new AtomicReference<>();

    MasterGroupMachine(
            ReplicatedTables tables, Questions questions, Listener listener, Fetching fetching, Executor threads) {
        this.tables = tables;
        this.questions = questions;
        this.listener = listener;
        this.fetching = fetching;
        this.threads = threads;
    }

    @Override
    public void initialize(RaftServer raftServer, RaftGroupId raftGroupId, RaftStorage storage) throws IOException {
        super.initialize(raftServer, raftGroupId, storage);
        getLifeCycle().startAndTransition(() -> begin(tables.state()));
    }

    private void begin(MasterGroupState state) {
        setLastAppliedTermIndex(
                state.index() < 0 ? TermIndex.INITIAL_VALUE : TermIndex.valueOf(state.term(), state.index()));
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        ReplicatedTables.Saved saved = tables.saved();
        if (saved.index() < 0) {
            return null;
        }
        TermIndex at = TermIndex.valueOf(saved.term(), saved.index());
        return new SnapshotInfo() {
            @Override
            public TermIndex getTermIndex() {
                return at;
            }

            @Override
            public List<FileInfo> getFiles() {
                return List.of();
            }
        };
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                // The message is the proposed object itself if this member proposed it.
                .setStateMachineContext(request.getMessage())
                .build();
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        Runnable writing =
                transaction.getStateMachineContext() instanceof Proposal proposal ? proposal.writing() : () -> {};
        boolean accepted;
        try {
            accepted = tables.apply(
                    entry.getTerm(),
                    entry.getIndex(),
                    MasterGroupEntry.decode(
                            entry.getStateMachineLogEntry().getLogData().toByteArray()),
                    writing);
        } catch (IOException e) {
            // The exception ends this member; a failed future would only skip the entry.
            throw new UncheckedIOException(e);
        }
        boolean unused = updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(accepted ? Proposal.ACCEPTED : Proposal.REFUSED);
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        tables.passed(term, index);
    }

    @Override
    public long takeSnapshot() throws IOException {
        return tables.save();
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return questions.answer(request);
    }

    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(RoleInfoProto role, TermIndex firstInLog) {
        RaftPeerProto leader = role.getFollowerInfo().getLeaderInfo().getId();
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        MasterGroupState theirs = fetching.fetch(getGroupId(), leader);
                        fetched.set(theirs);
                        LOG.info(
                                "fetched the tables as of entry {}: the log of the leader begins at {}",
                                theirs.index(),
                                firstInLog.getIndex());
                        return TermIndex.valueOf(theirs.term(), theirs.index());
                    } catch (IOException e) {
                        LOG.warn("the leader's tables could not be fetched; this member tries again", e);
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        MasterGroupState theirs = fetched.getAndSet(null);
        if (theirs != null) {
            questions.end();
            tables.switchTo(theirs);
        }
        getLifeCycle().startAndTransition(() -> begin(tables.state()));
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        if (!member.getPeerId().equals(leader)) {
            listener.doesNotLead();
        }
    }

    @Override
    public void notifyLeaderReady() {
        listener.leads();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        listener.doesNotLead();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        listener.failed("its log could not be written", cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        listener.failed("Raft ended here", new IOException("the log says why"));
    }

    /** Closes the machine only: the tables stay open, since the next machine may use them. */
    @Override
    public void close() throws IOException {
        questions.close();
    }
}
