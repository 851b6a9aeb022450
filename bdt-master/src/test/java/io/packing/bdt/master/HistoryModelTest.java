// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.HistoryName;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.tree.DirectoryStates;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A directory with a history is read as it was at any second, whatever happened to it and to its master. */
class HistoryModelTest extends MountFixture {
    private static final FilePath D = new FilePath("/d");
    private static final long START = Instant.parse("2026-11-30T20:00:00Z").getEpochSecond();
    private static final int WINDOW = 60;

    private final AtomicLong millis = new AtomicLong(START * 1_000);
    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
        }
    };
    /** The trees at the beginnings of seconds. */
    private final NavigableMap<Long, Map<String, String>> model = new TreeMap<>();

    @Override
    BdtMaster start(BdtMasterOptions config) throws IOException {
        return BdtMaster.start(config, MasterSite.of(config, stores, new Clocks(clock, System::nanoTime)));
    }

    @Override
    Map<String, String> mountOptions() {
        Map<String, String> options = new HashMap<>(TestStores.MOUNT);
        options.put("packing.history.paths", "/d=" + WINDOW + "s");
        return options;
    }

    private long second() {
        return millis.get() / 1_000;
    }

    /** Lets time pass, and notes what the tree is when each second begins. */
    private void pass(long more) throws IOException {
        Map<String, String> now = tree(D);
        for (long each = second() + 1; each * 1_000 <= millis.get() + more; each++) {
            model.put(each, now);
        }
        millis.addAndGet(more);
        // Upkeep may have begun a batch before: a change that joined it would be one of the second before.
        keepUp();
    }

    private Map<String, String> tree(FilePath top) throws IOException {
        Map<String, String> found = new TreeMap<>();
        if (table.stat(top).isPresent()) {
            addTree(top, top.value().length(), found);
        }
        return found;
    }

    private void addTree(FilePath directory, int cut, Map<String, String> into) throws IOException {
        for (FileStatus each : table.list(directory, "", 1_000).orElseThrow()) {
            String path = each.path().value().substring(cut);
            String mode = Integer.toOctalString(each.attributes().mode());
            into.put(path, each.isDirectory() ? "directory " + mode : each.version() + " " + mode);
            if (each.isDirectory()) {
                addTree(each.path(), cut, into);
            }
        }
    }

    private Optional<VectorResult> tryApply(Operation operation) throws IOException {
        try {
            return Optional.of(table.apply(OperationVector.of(operation)));
        } catch (IllegalArgumentException e) {
            // Such as a clone of a directory into itself.
            return Optional.empty();
        }
    }

    private static String path(Random random) {
        String top = random.nextInt(5) == 0 ? "/other" : "/d";
        StringBuilder path = new StringBuilder(top);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            path.append('/').append((char) ('a' + random.nextInt(3)));
        }
        return path.toString();
    }

    private void change(Random random) throws IOException {
        FilePath path = new FilePath(path(random));
        FilePath other = new FilePath(path(random));
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> {
                boolean unused = tryClaim(path.value());
            }
            case 5 -> pushAny();
            case 6 -> tryDelete(path, true);
            case 7, 8 -> tryRename(path, other);
            case 9 -> tryMakeDirectory(path);
            case 10 -> {
                AttributeChange mode = new AttributeChange(
                        Optional.empty(), Optional.empty(), OptionalInt.of(0600 + random.nextInt(64)));
                Outcome unused = table.setAttributes(path, mode);
            }
            default -> {
                Optional<VectorResult> unused = tryApply(
                        random.nextBoolean()
                                ? new Operation.CloneDirectory(path, other)
                                : new Operation.CloneFile(path, other, true, AttributeChange.NONE));
            }
        }
    }

    private void pushAny() throws IOException {
        if (!buffered.isEmpty()) {
            push(true);
        }
    }

    /** The writer keeps the last state before this answers. */
    private void keepUp() throws IOException {
        assertThat(table.delete(new FilePath("/nothing"), false)).isEqualTo(Outcome.NOT_FOUND);
    }

    private void check(Random random, int times) throws IOException {
        keepUp();
        DirectoryStates states = new DirectoryStates(table, D);
        long first = Math.max(states.first().orElseThrow().getEpochSecond(), second() - WINDOW);
        assertThat(states.first().orElseThrow().getEpochSecond())
                .isLessThanOrEqualTo(Math.max(model.firstKey() + 1, second() - WINDOW));
        for (int i = 0; i < times; i++) {
            long at = first + random.nextLong(second() - first + 1);
            FilePath path = states.at(Instant.ofEpochSecond(at), clock.instant());
            assertThat(tree(path)).as("%s for %d", path, at - START).isEqualTo(model.get(at));
        }
    }

    private void removeDropped() throws IOException {
        while (master.openMount(TestStores.MOUNT).table().standing().mayHaveDroppedSnapshots()) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void eachSecondOfTheWindowIsReadAsItWas() throws IOException {
        Random random = Seed.random();
        tryMakeDirectory(D);
        keepUp();
        pass(1_000);
        keepUp();
        for (int i = 0; i < 400; i++) {
            change(random);
            if (random.nextInt(2) == 0) {
                pass(random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(900));
            }
            if (i % 40 == 39) {
                pass(1_000);
                check(random, 10);
            }
            if (i % 100 == 60) {
                crashMaster();
                session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
                buffered.clear();
                check(random, 10);
            }
            if (i % 100 == 99) {
                removeDropped();
                check(random, 10);
            }
        }
        assertThat(rowsOf(Keys.SNAPSHOT)).isLessThan(200);
    }

    @Test
    void aRecoveryFromTheStoreKeepsTheStates() throws IOException {
        tryMakeDirectory(D);
        keepUp();
        pass(1_000);
        for (int i = 0; i < 20; i++) {
            claim("/d/f" + i % 3);
            claim("/d/new" + i);
            if (i % 5 == 4) {
                tryDelete(new FilePath("/d/new" + (i - 2)), false);
            }
            push(true);
            pass(1_000);
            if (i == 9) {
                keepUp();
                table.checkpoint();
                loseMaster();
            }
        }
        keepUp();
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        check(Seed.random(), 60);
        pass(1_000);
        claim("/d/f0");
        pass(1_000);
        check(Seed.random(), 60);
    }

    @Test
    void aRestoreGivesTheStateOfASecondBack() throws IOException {
        claim("/d/a");
        claim("/d/sub/b");
        push(true);
        pass(5_000);
        tryDelete(new FilePath("/d/sub"), true);
        claim("/d/a");
        pass(5_000);
        keepUp();
        FilePath was = new DirectoryStates(table, D).at(Instant.ofEpochSecond(START + 3), clock.instant());
        assertThat(was.name()).isEqualTo("at-2026-11-30T20:00:01Z");
        assertThat(TreeRestore.restore(table, was, D)).isPositive();
        assertThat(table.stat(new FilePath("/d/sub/b"))).isPresent();
    }

    @Test
    void anIdleMountKeepsNoStatesAfterTheLast() throws IOException {
        claim("/d/a");
        pass(1_000);
        keepUp();
        push(true);
        int before = rowsOf(Keys.SNAPSHOT);
        assertThat(before).isPositive();
        for (int i = 0; i < 20; i++) {
            pass(1_000);
            keepUp();
        }
        crashMaster();
        keepUp();
        pass(1_000);
        keepUp();
        assertThat(rowsOf(Keys.SNAPSHOT)).isEqualTo(before);
    }

    @Test
    void aWrongTimeIsRefusedWithTheWindow() throws IOException {
        tryMakeDirectory(new FilePath("/without"));
        claim("/d/a");
        pass(10_000);
        keepUp();
        DirectoryStates states = new DirectoryStates(table, D);
        assertThatExceptionOfType(FileNotFoundException.class)
                .isThrownBy(() -> states.at(Instant.ofEpochSecond(START - 1), clock.instant()))
                .withMessage("/d can be read and restored as it was from 2026-11-30T20:00:01Z until now,"
                        + " 2026-11-30T20:00:10Z; 2026-11-30T19:59:59Z is before that");
        assertThatExceptionOfType(FileNotFoundException.class)
                .isThrownBy(() -> states.at(Instant.ofEpochSecond(second() + 60), clock.instant()))
                .withMessageContaining("2026-11-30T20:01:10Z is later");
        assertThatExceptionOfType(FileNotFoundException.class)
                .isThrownBy(() -> new DirectoryStates(table, new FilePath("/without"))
                        .at(Instant.ofEpochSecond(second()), clock.instant()))
                .withMessageContaining("/without has no history", "packing.history.paths=/without=1d");
        assertThatExceptionOfType(FileNotFoundException.class)
                .isThrownBy(() -> new DirectoryStates(table, new FilePath("/none")));
    }

    @Test
    void namesOfStatesAreTheMastersAndAStateCanBeKeptUnderAnother() throws IOException {
        claim("/d/a");
        pass(2_000);
        keepUp();
        String state = HistoryName.of(new DirectoryStates(table, D).last().orElseThrow());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tryTake("at-2020-01-01T00:00:00Z"))
                .withMessageContaining("packing.history.paths");
        assertThat(table.apply(OperationVector.of(new Operation.RenameSnapshot(D, state, "kept"))))
                .isInstanceOf(VectorResult.Applied.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.apply(OperationVector.of(new Operation.RenameSnapshot(D, "kept", state))));
        pass(WINDOW * 3_000L);
        claim("/d/b");
        pass(1_000);
        keepUp();
        assertThat(table.list(D.child(FilePath.SNAPSHOTS), "", 10).orElseThrow())
                .extracting(each -> each.path().name())
                .contains("kept");
    }

    private void tryTake(String name) throws IOException {
        VectorResult unused = table.apply(OperationVector.of(new Operation.TakeSnapshot(D, name)));
    }
}
