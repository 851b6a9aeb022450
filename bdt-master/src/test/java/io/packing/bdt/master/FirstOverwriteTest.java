// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.BlobExtent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first overwrite of a file that a snapshot sees writes one row more than any other overwrite. */
class FirstOverwriteTest extends MountFixture {
    private static final FilePath TREE = new FilePath("/d");
    private static final int FILES = 6;

    private final List<FileVersion> versions = new ArrayList<>();

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private void claimWithBytes(FilePath path) throws IOException {
        do {
            claim(path.value());
        } while (table.stat(path).orElseThrow().attributes().length() == 0);
    }

    private static FilePath file(int number) {
        return TREE.child("f" + number);
    }

    private static FilePath seen(String snapshot, int number) {
        return TREE.child(".snapshot").child(snapshot).child("f" + number);
    }

    private void writeAll() throws IOException {
        versions.clear();
        for (int i = 0; i < FILES; i++) {
            claimWithBytes(file(i));
            versions.add(table.stat(file(i)).orElseThrow().version());
        }
        push(true);
    }

    private void overwriteAll() throws IOException {
        for (int i = 0; i < FILES; i++) {
            claimWithBytes(file(i));
        }
        push(true);
    }

    private void assertSeen(String snapshot, int number, FileVersion version) throws IOException {
        LocatedFile there = table.locate(seen(snapshot, number)).orElseThrow();
        assertThat(there.status().version()).isEqualTo(version);
        Placement.Mapped mapped = (Placement.Mapped) there.placement();
        assertThat(mapped.pieces()).hasSize(1);
        LocatedFile content = mapped.pieces().get(0).content();
        assertThat(content.status().version()).isEqualTo(version);
        assertThat(extents(content)).isEqualTo(pushed.get(version.id()));
        assertThat(extents(table.locate(version).orElseThrow())).isEqualTo(pushed.get(version.id()));
    }

    private static List<BlobExtent> extents(LocatedFile file) {
        return ((Placement.Packed) file.placement()).extents();
    }

    private void dropAndCleanUp(String snapshot) throws IOException {
        int before = rowsOf((byte) 's');
        apply(new Operation.DropSnapshot(TREE, snapshot));
        while (rowsOf((byte) 's') == before) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
    }

    private void assertClean() throws IOException {
        for (byte kind : new byte[] {'v', 'l', 'k', 's', Keys.CONTENT, Keys.REFERRER}) {
            assertThat(rowsOf(kind)).as("rows of %c", (char) kind).isZero();
        }
        // The directory and its files.
        assertThat(rowsOf(Keys.INODE)).isEqualTo(1 + FILES);
    }

    @Test
    void aRebuildCountsTheBytesOfAVersionThatWasInABufferWhenItWasOverwritten() throws IOException {
        claimWithBytes(file(0));
        FileVersion first = table.stat(file(0)).orElseThrow().version();
        apply(new Operation.TakeSnapshot(TREE, "s"));
        claimWithBytes(file(0));
        push(true);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        long live = liveBytes();
        loseMaster();
        assertSeen("s", 0, first);
        assertThat(liveBytes()).isEqualTo(live);
    }

    @Test
    void anOverwriteAfterASnapshotWritesOneRowForItsFileAndOneForItsDirectory() throws IOException {
        writeAll();
        apply(new Operation.TakeSnapshot(TREE, "s"));
        overwriteAll();
        assertThat(rowsOf(Keys.CONTENT)).isZero();
        assertThat(rowsOf(Keys.REFERRER)).isZero();
        assertThat(rowsOf(Keys.PAST)).isEqualTo(FILES);
        assertThat(rowsOf(Keys.BY_POSITION)).isEqualTo(1);
        long live = liveBytes();
        assertThat(live).isPositive();
        for (int i = 0; i < FILES; i++) {
            assertSeen("s", i, versions.get(i));
        }
        crashMaster();
        assertSeen("s", 0, versions.get(0));
        dropAndCleanUp("s");
        assertClean();
        assertThat(liveBytes()).isLessThan(live);
        assertThat(table.locate(versions.get(0))).isEmpty();
    }

    @Test
    void aRebuildFromTheStoreFindsWhatOnlyASnapshotHas() throws IOException {
        writeAll();
        apply(new Operation.TakeSnapshot(TREE, "s"));
        overwriteAll();
        assertThat(table.delete(file(1), false)).isEqualTo(Outcome.DONE);
        long live = liveBytes();
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        assertThat(liveBytes()).isEqualTo(live);
        assertSeen("s", 0, versions.get(0));
        assertSeen("s", 1, versions.get(1));
        table.checkpoint();
        loseMaster();
        assertThat(liveBytes()).isEqualTo(live);
        assertSeen("s", 0, versions.get(0));
    }

    @Test
    void aClonedFileOfASnapshotSharesItsBytesFromThenOn() throws IOException {
        writeAll();
        apply(new Operation.TakeSnapshot(TREE, "s"));
        overwriteAll();
        long live = liveBytes();
        FilePath clone = new FilePath("/clone");
        FilePath part = new FilePath("/part");
        apply(
                new Operation.CloneFile(seen("s", 0), clone, false, AttributeChange.NONE),
                new Operation.CreateFile(part, AttributeChange.NONE, false),
                new Operation.CloneRange(new ByteRange(seen("s", 1), 2, 3), part, 0));
        assertThat(rowsOf(Keys.CONTENT)).isEqualTo(2);
        assertThat(liveBytes()).isEqualTo(live);
        assertSeen("s", 0, versions.get(0));
        assertSeen("s", 1, versions.get(1));
        dropAndCleanUp("s");
        Placement.Mapped mapped =
                (Placement.Mapped) table.locate(clone).orElseThrow().placement();
        assertThat(extents(mapped.pieces().get(0).content()))
                .isEqualTo(pushed.get(versions.get(0).id()));
        assertThat(table.delete(clone, false)).isEqualTo(Outcome.DONE);
        assertThat(table.delete(part, false)).isEqualTo(Outcome.DONE);
        assertThat(rowsOf(Keys.CONTENT)).isZero();
    }

    @Test
    void whatADroppedSnapshotHadGoesToTheOlderOneThatSeesIt() throws IOException {
        writeAll();
        apply(new Operation.TakeSnapshot(TREE, "older"));
        claimWithBytes(TREE.child("later"));
        push(true);
        apply(new Operation.TakeSnapshot(TREE, "newer"));
        overwriteAll();
        assertThat(table.delete(TREE.child("later"), false)).isEqualTo(Outcome.DONE);
        dropAndCleanUp("newer");
        assertThat(rowsOf(Keys.CONTENT)).isZero();
        for (int i = 0; i < FILES; i++) {
            assertSeen("older", i, versions.get(i));
        }
        assertThat(table.stat(TREE.child(".snapshot").child("older").child("later")))
                .isEmpty();
        dropAndCleanUp("older");
        assertClean();
    }

    /** Versions before listed each row of the past by its position. */
    @Test
    void rowsOfThePastThatAnOlderVersionListedAreCleanedUp() throws Exception {
        writeAll();
        apply(new Operation.TakeSnapshot(TREE, "s"));
        overwriteAll();
        long directory = table.stat(TREE).orElseThrow().version().id();
        Waiting.on(master.openMount(TestStores.MOUNT).writer().submit(transaction -> {
            List<byte[]> found = new ArrayList<>();
            transaction.rows().scan(Keys.kind(Keys.BY_POSITION), Keys.kindEnd(Keys.BY_POSITION), (key, value) -> {
                found.add(key);
                return true;
            });
            assertThat(found).hasSize(1);
            transaction.rows().delete(found.get(0));
            for (int i = 0; i < FILES; i++) {
                byte[] name = file(i).name().getBytes(StandardCharsets.UTF_8);
                byte[] key = ByteBuffer.allocate(2 + 3 * Long.BYTES + name.length)
                        .put(Keys.BY_POSITION)
                        .putLong(Keys.number(found.get(0)))
                        .put((byte) 1)
                        .putLong(versions.get(i).id())
                        .putLong(directory)
                        .put(name)
                        .array();
                transaction.rows().put(key, new byte[0]);
            }
            return true;
        }));
        crashMaster();
        dropAndCleanUp("s");
        assertClean();
    }
}
