// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of depth and length: no entry is made beyond them, and an entry renamed there works like any other. */
@Timeout(120)
class DeepPathTest extends MountFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);
    private static final String LONG_NAME = "n".repeat(100);

    private static FilePath deep(String name, int levels) {
        return new FilePath(("/" + name).repeat(levels));
    }

    private ClaimResult tryToClaim(FilePath path) throws IOException {
        return session.claim(new Claim(session.newFileId(), path, FILE, true, true))
                .join();
    }

    private List<FileStatus> list(FilePath directory) throws IOException {
        return table.list(directory, "", 10).orElseThrow();
    }

    @Test
    void whatWouldBeTooDeepIsRefusedWithTheLimitAndTheMountGoesOn() throws IOException {
        for (int levels : List.of(1_001, 6_000, 30_000)) {
            FilePath tooDeep = deep("a", levels);
            assertThatThrownBy(() -> table.mkdir(tooDeep, DIRECTORY, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("…: %,d levels, at most 1,000".formatted(levels));
            assertThat(tryToClaim(tooDeep)).isEqualTo(new ClaimResult.Refused(Outcome.INVALID));
        }
        assertThat(names()).isEmpty();
        claim("/f");
        assertThatThrownBy(() -> table.mkdir(deep("x".repeat(250), 300), DIRECTORY, true))
                .hasMessageContaining("75,300 bytes, at most 65,535");
        claim(deep("a", 1_000).value());
        assertThatThrownBy(() -> table.mkdir(deep("a", 1_000).child("b"), DIRECTORY, true))
                .hasMessageContaining("1,001 levels, at most 1,000");
    }

    @Test
    void manyDirectoriesAtOnceAreOneEntryOfTheJournalAndComeBack() throws IOException {
        FilePath path = deep(LONG_NAME, 600);
        assertThat(table.mkdir(path, DIRECTORY, true)).isEqualTo(Outcome.DONE);
        long[] bytes = new long[1];
        new StoreRows(stores.table()).scan(Keys.kind(Keys.JOURNAL), Keys.kindEnd(Keys.JOURNAL), (key, value) -> {
            bytes[0] += value.length;
            return true;
        });
        assertThat(bytes[0]).isLessThan(3L * path.value().length());
        FileStatus before = table.stat(deep(LONG_NAME, 300)).orElseThrow();
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        assertThat(table.stat(path)).isPresent();
        assertThat(table.stat(deep(LONG_NAME, 300))).contains(before);
    }

    /** A tree of 1,000 levels, 999 levels down: its paths have 200,000 bytes. */
    private FilePath moveDeep() throws IOException {
        FilePath file = new FilePath("/tree" + deep(LONG_NAME, 600) + "/f");
        claim(file.value());
        FilePath above = deep(LONG_NAME, 600);
        assertThat(table.mkdir(above, DIRECTORY, true)).isEqualTo(Outcome.DONE);
        assertThat(table.rename(new FilePath("/tree"), above.child("tree"))).isEqualTo(Outcome.DONE);
        return new FilePath(above.value() + file.value());
    }

    @Test
    void whatIsBelowALongPathIsListedReadRenamedAndDeleted() throws IOException {
        FilePath file = moveDeep();
        assertThat(file.value()).hasSizeGreaterThan(FilePath.MAX_BYTES);
        push(true);
        LocatedFile located = table.locate(file).orElseThrow();
        assertThat(table.locate(located.status().version())
                        .orElseThrow()
                        .status()
                        .path())
                .isEqualTo(file);
        FilePath at = FilePath.ROOT;
        while (!at.equals(file)) {
            List<FileStatus> entries = list(at);
            assertThat(entries).hasSize(1);
            at = entries.get(0).path();
        }
        FilePath directory = file.parent().orElseThrow();
        assertThat(tryToClaim(directory.child("g"))).isEqualTo(new ClaimResult.Refused(Outcome.INVALID));
        assertThat(table.rename(file, new FilePath("/back"))).isEqualTo(Outcome.DONE);
        assertThat(table.delete(directory, false)).isEqualTo(Outcome.DONE);
        assertThat(table.rename(deep(LONG_NAME, 600).child("tree"), new FilePath("/tree")))
                .isEqualTo(Outcome.DONE);
        assertThat(table.delete(new FilePath("/tree"), true)).isEqualTo(Outcome.DONE);
        Mount mount = master.openMount(TestStores.MOUNT);
        while (table.statistics().directories() > 600) {
            mount.upkeep().reaper().step();
        }
        assertThat(table.statistics().directories()).isEqualTo(600);
        assertThat(table.statistics().files()).isEqualTo(1);
    }

    @Test
    void whatIsBelowALongPathComesBackFromTheStore() throws IOException {
        FilePath file = moveDeep();
        Reclaim held = buffered.get(0);
        claim("/pushed");
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        buffered.remove(0);
        push(true);
        loseMaster();
        assertThat(session.reclaim(List.of(held)).get(0)).contains(held.version());
        assertThat(table.stat(file).orElseThrow().version()).isEqualTo(held.version());
        assertThat(table.delete(file, false)).isEqualTo(Outcome.DONE);
    }
}
