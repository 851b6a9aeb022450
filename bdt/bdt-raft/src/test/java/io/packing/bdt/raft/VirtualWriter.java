// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.bdt.raft.VirtualMember.UncommittedException;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The writer of a mount at the leader. It opens the mount by the product's {@link RaftTables}, and writes batches of
 * the clients' requests by its {@link BatchStore}.
 */
final class VirtualWriter implements RaftTables.Proposals {
    private static final int ASKS_A_GROUP = 4;

    private final String mount;
    private final VirtualMember member;
    private final VirtualGroup group;
    private final Random random;
    private final VirtualFiber fiber = new VirtualFiber(this::run);
    private final Deque<VirtualClient.Request> asked = new ArrayDeque<>();
    private boolean idle;
    private boolean ended;
    private boolean gone;

    VirtualWriter(String mount, VirtualMember member, VirtualGroup group) {
        this.mount = mount;
        this.member = member;
        this.group = group;
        this.random = member.random();
    }

    void begin() {
        fiber.resume();
    }

    boolean serves(String wanted) {
        return wanted.equals(mount);
    }

    void ask(VirtualClient.Request request) {
        asked.add(request);
        if (idle) {
            fiber.resume();
        }
    }

    /** Ends the writer, since the member leads no more; work in progress, such as an opening, goes on to its end. */
    void end() {
        ended = true;
        refuseAll();
        if (idle) {
            fiber.resume();
        }
    }

    void kill() {
        ended = true;
        fiber.kill();
    }

    private void refuseAll() {
        asked.forEach(each -> each.refuse(member));
        asked.clear();
    }

    boolean isGone() {
        return gone;
    }

    private void run() {
        while (!ended) {
            try {
                sleep(random.nextInt(5_000));
                // As in the product, a master opens a mount after the last writer has left it.
                if (member.isFree(mount)) {
                    open();
                }
            } catch (NotLeaderException | UncommittedException e) {
                refuseAll();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        gone = true;
    }

    private void sleep(long micros) {
        member.later(micros, fiber::resume);
        fiber.pause();
    }

    private void open() throws IOException {
        RaftTables mounts = new RaftTables("group", member.disk().root(), member.tables(), member.disk()::open, this);
        ReadyMount ready = new ReadyMount(group.takeEpoch(mount), "file:///store", "", Optional.empty());
        // The store takes a while to answer.
        sleep(random.nextInt(20_000));
        if (mounts.ready(mount).isEmpty()) {
            mounts.recover(mount, ready, fresh -> fresh.write(batch("made", "once"), SortedStore.Sync.NONE));
        } else if (random.nextInt(4) == 0) {
            mounts.recover(mount, ready, fresh -> copy(mounts.look(mount), fresh));
        } else {
            mounts.hold(mount, ready);
        }
        try (BatchStore store = mounts.open(mount, true)) {
            long position = member.tables().mount(mount).orElseThrow().position();
            while (!ended) {
                position = serve(store, position);
            }
        }
    }

    private static void copy(SortedStore from, SortedStore to) throws IOException {
        WriteBatch all = new WriteBatch();
        try (Cursor rows = from.scan(new byte[0], new byte[0])) {
            while (rows.next()) {
                all.put(rows.key(), rows.value());
            }
        }
        to.write(all, SortedStore.Sync.NONE);
    }

    private long serve(BatchStore store, long position) throws IOException {
        while (asked.isEmpty() && !ended) {
            idle = true;
            fiber.pause();
            idle = false;
        }
        WriteSet rows = new WriteSet(store.rows());
        List<VirtualClient.Request> taken = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        while (taken.size() < ASKS_A_GROUP && !asked.isEmpty()) {
            taken.add(asked.remove());
            answers.add(answer(taken.get(taken.size() - 1), rows));
        }
        long last = position + taken.size();
        try {
            if (!rows.isEmpty()) {
                store.write(position + 1, last, rows, () -> {});
            }
        } catch (NotLeaderException | UncommittedException e) {
            taken.forEach(each -> each.refuse(member));
            throw e;
        }
        for (int i = 0; i < taken.size(); i++) {
            taken.get(i).answer(member, answers.get(i));
        }
        return last;
    }

    /** Returns the answer to a request; appends unless the request was served before. */
    private static String answer(VirtualClient.Request request, WriteSet rows) throws IOException {
        String list = rows.get(bytes(request.list())).map(VirtualWriter::text).orElse("");
        if (request.reads()) {
            return list;
        }
        byte[] numbers = bytes("client" + request.client());
        long before =
                rows.get(numbers).map(VirtualWriter::text).map(Long::parseLong).orElse(0L);
        if (before < request.number()) {
            rows.put(numbers, bytes(Long.toString(request.number())));
            rows.put(bytes(request.list()), bytes((list + " " + request.operation()).strip()));
        }
        return "";
    }

    private static WriteBatch batch(String key, String value) {
        return new WriteBatch().put(bytes(key), bytes(value));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public Optional<Long> term() {
        return member.leads();
    }

    @Override
    public NotLeaderException notLeader() {
        return new NotLeaderException("this member does not lead", Optional.empty());
    }

    /** Proposes an entry. It cuts some batches of rows into parts, as if they were large. */
    @Override
    public boolean propose(MasterGroupEntry entry, Runnable writing) {
        if (entry instanceof MasterGroupEntry.Rows rows && random.nextInt(5) == 0) {
            int half = rows.rows().length / 2;
            byte[] first = Arrays.copyOf(rows.rows(), half);
            byte[] rest = Arrays.copyOfRange(rows.rows(), half, rows.rows().length);
            return proposeOne(new MasterGroupEntry.Part(mount, rows.leaseEpoch(), rows.first(), 0, first), () -> {})
                    && proposeOne(
                            new MasterGroupEntry.Rows(mount, rows.leaseEpoch(), rows.first(), rows.last(), 1, rest),
                            writing);
        }
        return proposeOne(entry, writing);
    }

    private boolean proposeOne(MasterGroupEntry entry, Runnable writing) {
        return member.propose(entry, fiber, writing);
    }
}
