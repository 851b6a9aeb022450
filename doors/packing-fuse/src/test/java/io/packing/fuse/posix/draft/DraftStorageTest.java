// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small drafts share one file, and none gets the place of another. */
class DraftStorageTest {
    private static final int MOST = 64 * 64;

    @TempDir
    private Path home;

    private DraftStorage room;

    @BeforeEach
    void open() throws IOException {
        room = DraftStorage.open(home, home.resolve("slots"));
    }

    private static void write(DraftStorage.DraftBytes bytes, String text) throws IOException {
        bytes.write(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String read(DraftStorage.DraftBytes bytes, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        assertThat(bytes.read(0, into)).isEqualTo(length);
        return new String(into.array(), StandardCharsets.UTF_8);
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(home)) {
            return all.count();
        }
    }

    @Test
    void noTwoDraftsHaveOneSlotAndTheRestGetFiles() throws IOException {
        List<DraftStorage.DraftBytes> drafts = new ArrayList<>();
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < MOST + 2; i++) {
            drafts.add(room.make(i, true));
            write(drafts.get(i), "%06d".formatted(i));
            slots.add(drafts.get(i).slot());
        }
        assertThat(slots).hasSize(MOST + 1).contains(DraftStorage.NO_SLOT);
        assertThat(files()).isEqualTo(3);
        for (int i = 0; i < MOST + 2; i++) {
            assertThat(read(drafts.get(i), 6)).isEqualTo("%06d".formatted(i));
        }
        drafts.get(MOST).discard();
        assertThat(files()).isEqualTo(2);
        drafts.get(7).discard();
        drafts.get(7).discard();
        assertThat(room.make(8_000, true).slot()).isEqualTo(drafts.get(7).slot());
        assertThat(room.make(8_001, true).slot()).isEqualTo(DraftStorage.NO_SLOT);
    }

    @Test
    void whatMayBecomeLargeHasAFile() throws IOException {
        DraftStorage.DraftBytes bytes = room.make(1, false);
        assertThat(bytes.slot()).isEqualTo(DraftStorage.NO_SLOT);
        assertThat(room.hasFile(1)).isTrue();
        bytes.write(1L << 40, ByteBuffer.wrap(new byte[1]));
        bytes.discard();
        assertThat(room.hasFile(1)).isFalse();
    }

    @Test
    void anotherServerFindsTheBytesAndGivesTheirSlotToNobody() throws IOException {
        DraftStorage.DraftBytes first = room.make(1, true);
        for (int i = 0; i < 99; i++) {
            write(room.make(i, true), "another");
        }
        DraftStorage.DraftBytes last = room.make(2, true);
        write(first, "first");
        write(last, "last");
        // A killed server closes no file.
        DraftStorage later = DraftStorage.open(home, home.resolve("slots"));
        assertThat(read(later.restoredSlot(last.slot()), 4)).isEqualTo("last");
        assertThat(read(later.restoredSlot(first.slot()), 5)).isEqualTo("first");
        for (int i = 0; i < 300; i++) {
            assertThat(later.make(i, true).slot()).isNotIn(first.slot(), last.slot());
        }
    }
}
