// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.raft.VirtualLog.Entry;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A group of masters, its clients, the network between them and all their faults, in {@link VirtualTime}. A seed
 * determines the whole schedule.
 */
final class VirtualGroup {
    static final List<String> MOUNTS = List.of("m", "n");

    /** The time during which faults happen. */
    private static final long TROUBLE = 2_500_000;
    /** The time at which the group must be well again. */
    private static final long END = 30_000_000;

    private static final int CLIENTS = 5;
    private static final int READERS = 2;

    private record Told(Entry entry, boolean accepted) {}

    private final Random random;
    private final VirtualTime time = new VirtualTime();
    private final VirtualHistory history = new VirtualHistory();
    private final List<VirtualMember> members = new ArrayList<>();
    private final List<VirtualClient> clients = new ArrayList<>();
    private final Set<List<Integer>> cut = new HashSet<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final NavigableMap<Long, Told> log = new TreeMap<>();

    /** @param random source of the schedule */
    VirtualGroup(Random random) {
        this.random = random;
        int size = random.nextInt(4) == 0 ? 5 : 3;
        for (int id = 0; id < size; id++) {
            members.add(new VirtualMember(id, this, random));
        }
        for (int id = 0; id < CLIENTS; id++) {
            clients.add(new VirtualClient(id, id < READERS, this, random));
        }
    }

    VirtualTime time() {
        return time;
    }

    VirtualHistory history() {
        return history;
    }

    int size() {
        return members.size();
    }

    VirtualMember member(int id) {
        return members.get(id);
    }

    List<VirtualMember> othersThan(int id) {
        return members.stream().filter(each -> each.id() != id).toList();
    }

    boolean isOver() {
        return time.now() >= TROUBLE;
    }

    /** Returns the next epoch of a mount, as the store would. */
    long takeEpoch(String mount) {
        return epochs.merge(mount, 1L, Long::sum);
    }

    boolean reaches(int from, int to) {
        return !cut.contains(List.of(from, to));
    }

    /** Sends a message that may be late, overtaken, or lost. */
    void send(int from, VirtualMember to, Runnable message) {
        long delay = 200L + random.nextInt(random.nextInt(10) == 0 ? 30_000 : 2_000);
        if (reaches(from, to.id()) && random.nextInt(50) > 0) {
            time.after(delay, () -> {
                if (reaches(from, to.id())) {
                    to.deliver(message);
                }
            });
        }
    }

    /** Records a member's answer to an entry, which must equal the others'. */
    void applied(int member, long index, Entry entry, boolean accepted) {
        Told before = log.putIfAbsent(index, new Told(entry, accepted));
        if (before != null
                && (before.accepted != accepted
                        || before.entry.term() != entry.term()
                        || !Arrays.equals(before.entry.bytes(), entry.bytes()))) {
            throw new AssertionError("member %d answered otherwise to entry %d".formatted(member, index));
        }
    }

    /** Plays the schedule, and compares the members. */
    Played play() throws IOException {
        members.forEach(VirtualMember::start);
        clients.forEach(VirtualClient::begin);
        time.after(random.nextInt(400_000), this::trouble);
        time.after(TROUBLE, this::heal);
        while (!isQuiet() && time.now() < END && time.step()) {
            // Each step runs one event.
        }
        assertThat(isQuiet())
                .as("all is well %d µs after the trouble: %s", END - TROUBLE, members)
                .isTrue();
        compare();
        Map<String, String> lists = new HashMap<>();
        rows(members.get(0).tables()).forEach((key, value) -> lists.put(key, value));
        lists.keySet().removeIf(key -> !key.substring(1).startsWith("list"));
        assertThat(history.wrong(lists)).isEmpty();
        int operations = history.size();
        long entries = log.size();
        members.forEach(VirtualMember::crash);
        return new Played(operations, entries);
    }

    /** The counts of a schedule. */
    record Played(int operations, long entries) {}

    private void trouble() {
        if (isOver()) {
            return;
        }
        VirtualMember one = members.get(random.nextInt(size()));
        VirtualMember leading = members.stream()
                .filter(each -> each.isUp() && each.leads().isPresent())
                .findAny()
                .orElse(one);
        long lasts = 20_000L + random.nextInt(700_000);
        switch (random.nextInt(13)) {
            case 0, 1 -> crash(one, lasts);
            case 2, 3 -> crash(leading, lasts);
            case 4 -> {
                // The power ends during one of the next operations on the disk.
                if (one.isUp()) {
                    one.disk().goesAfter(1 + random.nextInt(8));
                    time.after(lasts, () -> restart(one));
                }
            }
            case 5 -> {
                leading.stop();
                time.after(lasts, leading::goOn);
            }
            case 6 -> {
                one.stop();
                time.after(lasts, one::goOn);
            }
            case 7 -> isolate(leading, lasts);
            case 8 -> cut(one, lasts);
            case 9 -> cut(leading, lasts);
            // This happens at a handover of the lead, also while the leader does not hear of it.
            case 10 -> one.deliver(one.raft()::stand);
            case 11 -> {
                isolate(leading, lasts);
                one.deliver(one.raft()::stand);
            }
            default -> {
                members.forEach(each -> crash(each, random.nextInt(300_000)));
            }
        }
        saveSome();
        time.after(random.nextInt(500_000), this::trouble);
    }

    private void saveSome() {
        for (VirtualMember member : members) {
            if (random.nextBoolean()) {
                time.after(random.nextInt(200_000), () -> member.deliver(member::save));
            }
        }
    }

    private void crash(VirtualMember member, long lasts) {
        if (member.isUp()) {
            member.crash();
        }
        time.after(lasts, () -> restart(member));
    }

    private static void restart(VirtualMember member) {
        if (!member.isUp()) {
            member.start();
        }
    }

    /** Cuts a member off from all others, but not from clients. */
    private void isolate(VirtualMember member, long lasts) {
        for (VirtualMember other : othersThan(member.id())) {
            cut.add(List.of(member.id(), other.id()));
            cut.add(List.of(other.id(), member.id()));
        }
        time.after(lasts, cut::clear);
    }

    /** Cuts a member off from some others, in both directions or one. */
    private void cut(VirtualMember member, long lasts) {
        boolean both = random.nextBoolean();
        for (VirtualMember other : othersThan(member.id())) {
            if (random.nextInt(4) > 0) {
                cut.add(List.of(member.id(), other.id()));
                if (both) {
                    cut.add(List.of(other.id(), member.id()));
                }
            }
        }
        time.after(lasts, cut::clear);
    }

    private void heal() {
        cut.clear();
        members.forEach(each -> each.disk().goesAfter(Long.MAX_VALUE));
        members.forEach(VirtualMember::goOn);
        members.forEach(VirtualGroup::restart);
    }

    private boolean isQuiet() {
        return isOver()
                && clients.stream().noneMatch(VirtualClient::isWaiting)
                && members.stream().allMatch(VirtualMember::isUp)
                && members.stream()
                                .map(each -> each.tables().index())
                                .distinct()
                                .count()
                        == 1
                && members.get(0).tables().index() == log.lastKey();
    }

    /** Compares each member with tables that applied the whole log without faults. */
    private void compare() throws IOException {
        VirtualDisk disk = new VirtualDisk();
        try (ReplicatedTables steady = ReplicatedTables.open(disk.root(), disk::open, () -> {
            throw new IOException("the disk is not full here");
        })) {
            for (Map.Entry<Long, Told> each : log.entrySet()) {
                Entry entry = each.getValue().entry;
                assertThat(steady.apply(entry.term(), each.getKey(), MasterGroupEntry.decode(entry.bytes()), () -> {}))
                        .as("entry %d", each.getKey())
                        .isEqualTo(each.getValue().accepted);
            }
            Map<String, String> all = rows(steady);
            for (VirtualMember member : members) {
                assertThat(rows(member.tables()))
                        .as("rows of member %d", member.id())
                        .isEqualTo(all);
                for (String mount : MOUNTS) {
                    assertThat(member.tables()
                                    .mount(mount)
                                    .map(it -> it.leaseEpoch() + " " + it.position() + it.ready()))
                            .isEqualTo(
                                    steady.mount(mount).map(it -> it.leaseEpoch() + " " + it.position() + it.ready()));
                    assertThat(member.tables().filling(mount)).isEqualTo(steady.filling(mount));
                }
                assertThat(member.tables().member("m0")).isEqualTo(steady.member("m0"));
            }
        }
    }

    private static Map<String, String> rows(ReplicatedTables tables) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String mount : MOUNTS) {
            if (tables.mount(mount).isPresent()) {
                try (SortedStore store = tables.table(mount);
                        Cursor all = store.scan(new byte[0], new byte[0])) {
                    while (all.next()) {
                        rows.put(mount + VirtualWriter.text(all.key()), VirtualWriter.text(all.value()));
                    }
                }
            }
        }
        // Each member marks its own saves.
        MOUNTS.forEach(mount -> rows.remove(mount + "msynced"));
        return rows;
    }
}
