// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.FileRepack;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.upkeep.Repacker;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Fragmented files whose fragments are joined. */
class RepackTest extends MountFixture {
    private static final FilePath FILE = new FilePath("/f");
    private static final int PIECE = 8;

    private final AtomicLong now = new AtomicLong();
    /** The ids of the pieces, which are their bytes. */
    private final List<Long> expected = new ArrayList<>();

    private int pieces;

    RepackTest() {
        stores.maps = TestStores.ROWS;
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private void write(int at) throws IOException {
        do {
            claim("/p" + ++pieces);
        } while (buffered.get(buffered.size() - 1).attributes().length() != PIECE);
        FilePath from = new FilePath("/p" + pieces);
        apply(
                new Operation.CloneRange(new ByteRange(from, 0, PIECE), FILE, (long) at * PIECE),
                new Operation.Delete(from, false));
        long id = buffered.get(buffered.size() - 1).version().id();
        if (at < expected.size()) {
            expected.set(at, id);
        } else {
            expected.add(id);
        }
    }

    private void writeFile(int count) throws IOException {
        apply(new Operation.CreateFile(FILE, AttributeChange.NONE, false));
        for (int i = 0; i < count; i++) {
            write(i);
            if (i % 5 == 4) {
                push(true);
            }
        }
        push(true);
    }

    private Repacker repacker(int windowFragments) throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        return new Repacker(
                new MountStorage("test", mount.table(), stores.objects, work, MountKeys.none()),
                mount.upkeep().uploader(),
                new Repacker.RepackOptions(Duration.ZERO, Duration.ZERO, 2, 1_000, 1 << 20, windowFragments, 1 << 30),
                new Clocks(Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofHours(1)), now::get));
    }

    private void repack(Repacker repacker) throws IOException {
        repack(repacker, 10);
    }

    private void repack(Repacker repacker, int steps) throws IOException {
        for (int i = 0; i < steps; i++) {
            now.addAndGet(Duration.ofHours(1).toNanos());
            boolean unused = repacker.step();
        }
    }

    private Placement.Mapped placement() throws IOException {
        return (Placement.Mapped) table.locate(FILE).orElseThrow().placement();
    }

    /** Returns the file's bytes as its places say, a number for each piece. */
    private List<Long> bytes() throws IOException {
        ByteBuffer file = ByteBuffer.allocate(expected.size() * PIECE);
        for (Placement.Piece each : placement().pieces()) {
            ByteBuffer content = ByteBuffer.allocate(
                    (int) each.content().status().attributes().length());
            for (BlobExtent extent : ((Placement.Packed) each.content().placement()).extents()) {
                ObjectSource source = new ObjectSource(
                        stores.objects,
                        BlobName.FOLDER + extent.blob().key(),
                        extent.blob().footerOffset());
                ByteBuffer stored = source.read(
                        extent.extent().blobOffset(), extent.extent().storedLength());
                content.put(
                        (int) extent.extent().fileOffset(),
                        bytesOf(extent, stored),
                        0,
                        extent.extent().length());
            }
            file.put((int) each.offset(), content.array(), (int) each.contentOffset(), (int) each.length());
        }
        List<Long> found = new ArrayList<>();
        while (file.hasRemaining()) {
            found.add(file.getLong());
        }
        return found;
    }

    private static byte[] bytesOf(BlobExtent extent, ByteBuffer stored) throws IOException {
        ByteBuffer decoded = ExtentCodec.decode(extent.blob().toString(), extent.extent(), stored);
        byte[] bytes = new byte[decoded.remaining()];
        decoded.get(bytes);
        return bytes;
    }

    private Set<BlobName> blobs() throws IOException {
        return placement().pieces().stream()
                .flatMap(each -> ((Placement.Packed) each.content().placement()).extents().stream())
                .map(BlobExtent::blob)
                .collect(Collectors.toSet());
    }

    @Test
    void theFragmentsOfAFileBecomeOneContentInOneBlob() throws IOException {
        writeFile(40);
        FileStatus before = table.stat(FILE).orElseThrow();
        assertThat(blobs()).hasSize(8);
        Repacker repacker = repacker(1_000);
        repack(repacker);
        assertThat(blobs()).hasSize(1);
        assertThat(placement().pieces()).hasSize(1);
        assertThat(bytes()).isEqualTo(expected);
        assertThat(table.stat(FILE)).contains(before);
        assertThat(repacker.fragments()).isEqualTo(40);
        assertThat(repacker.bytes()).isGreaterThan(40L * PIECE);
        assertThat(rowsOf(Keys.MAP)).isEqualTo(1);
        assertThat(rowsOf(Keys.CONTENT)).isEqualTo(1);
    }

    @Test
    void aFileIsJoinedByWindowsAndWhatIsWrittenLaterIsKept() throws IOException {
        writeFile(40);
        repack(repacker(16), 3);
        assertThat(placement().pieces()).hasSize(3);
        write(17);
        push(true);
        assertThat(bytes()).isEqualTo(expected);
        repack(repacker(1_000));
        assertThat(placement().pieces()).hasSize(1);
        assertThat(bytes()).isEqualTo(expected);
    }

    @Test
    void aRebuildFromTheStoreHasTheJoinedFile() throws IOException {
        writeFile(20);
        for (boolean backup : new boolean[] {false, true}) {
            if (backup) {
                write(3);
                push(true);
                table.checkpoint();
            }
            repack(repacker(1_000));
            FileStatus before = table.stat(FILE).orElseThrow();
            assertThat(placement().pieces()).hasSize(1);
            // The journal waits with what was joined for a change of its own.
            apply(new Operation.MakeDirectory(new FilePath("/d" + backup), DIRECTORY, false));
            master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
            loseMaster();
            assertThat(table.stat(FILE)).contains(before);
            assertThat(placement().pieces()).hasSize(1);
            assertThat(bytes()).isEqualTo(expected);
            assertThat(table.list(FilePath.SCRATCH, "", 10).orElse(List.of())).isEmpty();
        }
    }

    @Test
    void aRebuildWithoutTheJournalHasTheFragmentsAsTheyWere() throws IOException {
        writeFile(20);
        table.checkpoint();
        repack(repacker(1_000));
        assertThat(placement().pieces()).hasSize(1);
        loseMaster();
        assertThat(placement().pieces()).hasSize(20);
        assertThat(bytes()).isEqualTo(expected);
    }

    @Test
    void aFragmentThatWasOverwrittenMeanwhileStays() throws IOException {
        writeFile(10);
        List<Reference> read = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            read.add(new Reference((long) i * PIECE, PIECE, expected.get(i), 0));
        }
        write(4);
        push(true);
        long file = table.stat(FILE).orElseThrow().version().id();
        Placement first = placement().pieces().get(0).content().placement();
        BlobExtent any = ((Placement.Packed) first).extents().get(0);
        int replaced =
                Waiting.on(master.openMount(TestStores.MOUNT).table().writer().submit(t -> {
                    FileVersion version =
                            new FileVersion(t.change().nextId(), t.change().nextPosition());
                    return FileRepack.apply(
                            t,
                            new FileRepack.Joined(file, version, 10L * PIECE, any.blob(), List.of(any.extent()), read));
                }));
        assertThat(replaced).isEqualTo(9);
        List<Placement.Piece> pieces = placement().pieces();
        assertThat(pieces).hasSize(3);
        assertThat(pieces.get(1).content().status().version().id()).isEqualTo(expected.get(4));
        assertThat(pieces.get(2).contentOffset()).isEqualTo(5L * PIECE);
    }

    @Test
    void aFileThatASnapshotSeesStaysAsItIs() throws IOException {
        writeFile(10);
        apply(new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        repack(repacker(1_000));
        assertThat(placement().pieces()).hasSize(10);
    }
}
