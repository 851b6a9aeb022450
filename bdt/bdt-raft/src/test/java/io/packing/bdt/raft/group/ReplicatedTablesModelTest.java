// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.log.BatchRecord;
import io.packing.seed.Seed;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.sorted.WriteBatch;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of members that apply one log through saves, restarts from the last save, and tables fetched from another
 * member. They must accept equal entries and have equal rows.
 */
class ReplicatedTablesModelTest {
    private static final int ENTRIES = 150;
    private static final List<String> MOUNTS = List.of("m", "n");

    @TempDir
    private Path root;

    private record Entry(long term, MasterGroupEntry entry) {}

    /** A member: its tables, and its answer to each entry. */
    private final class Replica {
        private final Path directory;
        private final Map<Integer, Boolean> answers = new TreeMap<>();
        private ReplicatedTables tables;

        Replica(String name) throws IOException {
            directory = Files.createDirectories(root.resolve(name));
            tables = open();
        }

        private ReplicatedTables open() throws IOException {
            return ReplicatedTables.open(
                    directory,
                    folder -> SortedStores.open(
                            folder, new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 0)),
                    () -> {
                        throw new IOException("the disk is not full here");
                    });
        }

        int next() {
            return (int) tables.state().index() + 1;
        }

        void apply(List<Entry> log) throws IOException {
            int index = next();
            Entry entry = log.get(index);
            boolean accepted = tables.apply(entry.term, index, entry.entry, () -> {});
            Boolean before = answers.put(index, accepted);
            assertThat(before == null || before == accepted)
                    .as("entry %d is answered alike when it is applied again", index)
                    .isTrue();
        }

        void restart() throws IOException {
            tables.close();
            tables = open();
        }

        void fetchFrom(Replica other) throws IOException {
            MasterGroupState fetched;
            try (Checkpoint checkpoint = other.tables.checkpoint()) {
                fetched = tables.fetch(checkpoint.state(), (folder, to) -> {
                    int number = 0;
                    for (byte[] page = checkpoint.page(folder, 0);
                            page.length > 0;
                            page = checkpoint.page(folder, ++number)) {
                        // A lost answer is asked for again.
                        assertThat(checkpoint.page(folder, number)).isEqualTo(page);
                        Checkpoint.write(new DataInputStream(new ByteArrayInputStream(page)), to);
                    }
                });
            }
            tables.switchTo(fetched);
        }

        Map<String, String> rows() throws IOException {
            Map<String, String> rows = new TreeMap<>();
            for (String mount : MOUNTS) {
                if (tables.mount(mount).isPresent()) {
                    try (SortedStore store = tables.table(mount);
                            Cursor all = store.scan(new byte[0], new byte[0])) {
                        while (all.next()) {
                            rows.put(mount + text(all.key()), text(all.value()));
                        }
                    }
                }
            }
            // Each member marks its own saves.
            MOUNTS.forEach(mount -> rows.remove(mount + "msynced"));
            return rows;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] rows(Random random) {
        WriteBatch batch = new WriteBatch();
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] key = ("k" + random.nextInt(12)).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0) {
                batch.delete(key);
            } else {
                batch.put(key, ("v" + random.nextInt(1_000)).getBytes(StandardCharsets.UTF_8));
            }
        }
        return BatchRecord.encode(batch);
    }

    /** Makes entries of leaders that know of each other, and of some that do not. */
    private static List<Entry> log(Random random) {
        List<Entry> log = new ArrayList<>();
        long term = 1;
        long position = 0;
        long version = 0;
        for (int i = 0; i < ENTRIES; i++) {
            term += random.nextInt(20) == 0 ? 1 : 0;
            position += random.nextInt(3);
            String mount = MOUNTS.get(random.nextInt(MOUNTS.size()));
            long epoch = random.nextInt(4);
            long token = 1L + random.nextInt(2);
            MasterGroupEntry entry = switch (random.nextInt(11)) {
                case 0 -> new MasterGroupEntry.Begin(mount, token);
                case 1, 2 -> new MasterGroupEntry.Fill(mount, token, rows(random));
                case 3 -> new MasterGroupEntry.Hold(mount, epoch + log.size() / 30, "ready", token, position);
                case 4 -> new MasterGroupEntry.Hold(mount, epoch + log.size() / 30, "ready", 0, 0);
                case 5 -> new MasterGroupEntry.Member("a", "instance", 1 + random.nextInt(5), "host:1");
                // Half of the texts have a version that does not follow.
                case 6 -> new MasterGroupEntry.Text("t", random.nextBoolean() ? ++version : version, rows(random));
                default ->
                    new MasterGroupEntry.Rows(mount, epoch + log.size() / 30, position, position + 1, 0, rows(random));
            };
            log.add(new Entry(term, entry));
        }
        return log;
    }

    @RepeatedTest(5)
    void membersThatAppliedTheSameLogAreTheSame(RepetitionInfo repetition) throws IOException {
        long seed = Seed.value() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        List<Entry> log = log(random);
        Replica steady = new Replica("steady-" + seed);
        Replica other = new Replica("other-" + seed);
        while (steady.next() < log.size() || other.next() < log.size()) {
            if (steady.next() < log.size()) {
                steady.apply(log);
            }
            switch (random.nextInt(12)) {
                case 0 -> assertThat(other.tables.save()).isEqualTo(other.next() - 1L);
                case 1 -> other.restart();
                case 2 -> {
                    if (other.next() < steady.next()) {
                        other.fetchFrom(steady);
                    }
                }
                default -> {
                    if (other.next() < log.size()) {
                        other.apply(log);
                    }
                }
            }
        }
        assertThat(other.rows()).as("seed %d", seed).isEqualTo(steady.rows());
        assertThat(other.tables.text("t")).as("seed %d", seed).isEqualTo(steady.tables.text("t"));
        assertThat(other.tables.textsVersion()).isEqualTo(steady.tables.textsVersion());
        other.answers.forEach((index, accepted) ->
                assertThat(accepted).as("seed %d, entry %d", seed, index).isEqualTo(steady.answers.get(index)));
        assertThat(steady.answers).containsValue(true).containsValue(false);
        steady.tables.close();
        other.tables.close();
    }

    @Test
    void rowsInPartsAreOneChangeOrNone() throws IOException {
        Replica member = new Replica("parts");
        byte[] all = rows(new Random(Seed.value()));
        byte[] first = Arrays.copyOf(all, 3);
        byte[] rest = Arrays.copyOfRange(all, 3, all.length);
        List<Entry> log = List.of(
                new Entry(1, new MasterGroupEntry.Begin("m", 1)),
                new Entry(1, new MasterGroupEntry.Hold("m", 1, "ready", 1, 0)),
                new Entry(1, new MasterGroupEntry.Part("m", 1, 5, 0, first)),
                new Entry(1, new MasterGroupEntry.Rows("m", 1, 5, 6, 1, rest)),
                new Entry(1, new MasterGroupEntry.Rows("m", 1, 7, 8, 1, rest)));
        for (int i = 0; i < 3; i++) {
            member.apply(log);
        }
        assertThat(member.tables.save()).as("not between the parts").isEqualTo(-1);
        member.apply(log);
        member.apply(log);
        assertThat(member.answers).containsEntry(3, true).containsEntry(4, false);
        assertThat(member.tables.mount("m").orElseThrow().position()).isEqualTo(6);
        member.tables.close();
    }
}
