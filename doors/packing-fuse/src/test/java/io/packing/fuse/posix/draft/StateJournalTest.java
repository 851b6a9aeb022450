// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.fuse.posix.draft.StateJournal.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateJournalTest {
    @TempDir
    private Path home;

    private List<String> read(Path file) throws IOException {
        List<String> records = new ArrayList<>();
        StateJournal.read(
                file, (kind, node, numbers, text) -> records.add(kind + " " + node + " " + numbers + " " + text));
        return records;
    }

    private Path written() throws IOException {
        Path file = home.resolve("journal");
        try (StateJournal journal = StateJournal.begin(file)) {
            journal.add(Kind.NODE, 7, "ü".repeat(1_000), 1, 2, 3);
            journal.add(Kind.FORGOTTEN, Long.MAX_VALUE, "");
            journal.add(Kind.WRITTEN, 9, "", 0, Long.MAX_VALUE);
            assertThat(Files.exists(file)).isFalse();
            journal.take();
        }
        return file;
    }

    @Test
    void recordsComeBackInTheirOrder() throws IOException {
        assertThat(read(written()))
                .containsExactly(
                        "NODE 7 [1, 2, 3] " + "ü".repeat(1_000),
                        "FORGOTTEN 9223372036854775807 [] ",
                        "WRITTEN 9 [0, 9223372036854775807] ");
    }

    @Test
    void aRecordThatIsCutOffDoesNotCount() throws IOException {
        Path file = written();
        byte[] all = Files.readAllBytes(file);
        int whole = read(file).size();
        for (int length = 0; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            assertThat(read(file)).hasSizeLessThan(whole);
        }
    }

    @Test
    void whatAServerHadWrittenThatWasKilledCounts() throws IOException {
        Path file = home.resolve("journal");
        int many = 60_000;
        try (StateJournal journal = StateJournal.begin(file)) {
            journal.take();
            for (int i = 0; i < many; i++) {
                journal.add(Kind.OPENS, i, "x".repeat(i % 50), i);
                if (i % 20_000 == 0) {
                    // A live server closes or cuts off nothing.
                    assertThat(read(file)).hasSize(i + 1);
                }
            }
            List<String> all = read(file);
            assertThat(all).hasSize(many);
            assertThat(all.get(many - 1)).startsWith("OPENS %d [%d] xxx".formatted(many - 1, many - 1));
            assertThat(Files.size(file)).isLessThan(8 << 20);
        }
        assertThat(read(file)).hasSize(many);
    }

    @Test
    void aRecordThatWasBegunDoesNotCount() throws IOException {
        Path file = written();
        byte[] all = Files.readAllBytes(file);
        byte[] begun = Arrays.copyOf(all, all.length + 100);
        // All bytes but the kind, which comes last.
        System.arraycopy(all, 1, begun, all.length + 1, 50);
        Files.write(file, begun);
        assertThat(read(file)).hasSize(3);
    }

    @Test
    void aSuccessorTakesItsPlace() throws IOException {
        Path file = written();
        try (StateJournal journal = StateJournal.begin(file)) {
            journal.take();
            StateJournal successor = journal.successor();
            successor.add(Kind.OPENS, 1, "", 5);
            journal.become(successor);
            journal.add(Kind.OPENS, 1, "", 6);
            assertThat(read(file)).containsExactly("OPENS 1 [5] ", "OPENS 1 [6] ");
        }
    }

    @Test
    void noJournalIsAnEmptyOne() throws IOException {
        assertThat(read(home.resolve("none"))).isEmpty();
    }
}
