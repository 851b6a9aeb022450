// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DraftTest {
    /** The size of a file, which in some rounds outgrows a slot, or never fits into one. */
    private static final int SIZE = DraftStorage.SLOT + 3_000;

    @TempDir
    private Path home;

    /**
     * After any writes and cuts a draft over a base reads as an array of bytes, also when another server goes on with
     * it.
     */
    @Test
    void aDraftReadsAsTheFileThatItWillBe() throws IOException {
        Random random = Seed.random();
        for (int round = 0; round < 30; round++) {
            byte[] base = new byte[random.nextInt(SIZE)];
            random.nextBytes(base);
            byte[] model = base.clone();
            Path state = home.resolve("journal-" + round);
            try (StateJournal journal = StateJournal.begin(state)) {
                journal.take();
                DraftStorage room = DraftStorage.open(home, home.resolve("slots"));
                Draft draft = Draft.over(room, journal, 5, base.length);
                for (int i = 0; i < 40; i++) {
                    model = change(draft, model, random);
                    assertThat(read(draft, base)).isEqualTo(model);
                }
                Draft[] again = new Draft[1];
                DraftStorage later = DraftStorage.open(home, home.resolve("slots"));
                StateJournal.read(state, (kind, node, numbers, text) -> {
                    switch (kind) {
                        case DRAFT ->
                            again[0] = Draft.restored(
                                    later, journal, 5, false, numbers.get(1), Math.toIntExact(numbers.get(2)));
                        case IN_FILE -> again[0].noteInFile();
                        case WRITTEN -> again[0].noteWritten(numbers.get(0), numbers.get(1));
                        default -> again[0].noteResized(numbers.get(0));
                    }
                });
                assertThat(read(again[0], base)).isEqualTo(model);
                assertThat(again[0].dirty()).isEqualTo(draft.dirty());
                draft.discard();
                room.close();
                later.close();
            }
        }
    }

    private static byte[] change(Draft draft, byte[] model, Random random) throws IOException {
        if (random.nextInt(3) == 0) {
            int length = random.nextInt(SIZE);
            draft.resize(length);
            return Arrays.copyOf(model, length);
        }
        byte[] bytes = new byte[1 + random.nextInt(1_500)];
        random.nextBytes(bytes);
        int at = random.nextInt(SIZE);
        draft.write(at, ByteBuffer.wrap(bytes));
        byte[] changed = Arrays.copyOf(model, Math.max(model.length, at + bytes.length));
        System.arraycopy(bytes, 0, changed, at, bytes.length);
        return changed;
    }

    private static byte[] read(Draft draft, byte[] base) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(2 * SIZE);
        draft.read(0, all, (offset, into) -> into.put(base, (int) offset, into.remaining()));
        return Arrays.copyOf(all.array(), all.position());
    }
}
