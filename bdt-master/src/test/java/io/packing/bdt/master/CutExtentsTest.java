// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.blob.BlobExtent;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extents of which few bytes live are cut when they are copied. */
class CutExtentsTest extends MountFixture {
    private static final FilePath FILE = new FilePath("/file");
    private static final FilePath CLONE = new FilePath("/clone");
    private static final int EXTENTS = 40;
    private static final int LENGTH = EXTENTS * ModelWorker.EXTENT_BYTES;

    private Random random;
    private ModelWorker worker;

    @BeforeEach
    void begin() {
        random = new Random(Seed.value());
        worker = new ModelWorker(stores.objects, work, random);
    }

    /** Writes a file of many extents, and leaves one byte of each. */
    private byte[] oneByteOfEachExtent() throws IOException {
        byte[] bytes = new byte[LENGTH];
        random.nextBytes(bytes);
        Claim claim = hashed(session.newFileId(), FILE, bytes);
        ClaimResult.Granted granted = (ClaimResult.Granted) session.claim(claim).join();
        worker.hold(new Reclaim(granted.version(), claim.path(), claim.attributes()), bytes);
        worker.pushAll();
        worker.report(session);
        for (int i = 0; i < EXTENTS; i++) {
            punch(bytes, i * ModelWorker.EXTENT_BYTES + 1, ModelWorker.EXTENT_BYTES - 1);
        }
        return bytes;
    }

    private void punch(byte[] bytes, int offset, int length) throws IOException {
        Arrays.fill(bytes, offset, offset + length, (byte) 0);
        assertThat(table.apply(OperationVector.of(new Operation.DeleteRange(new ByteRange(FILE, offset, length)))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    private UpkeepByHand upkeep() throws IOException {
        return new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.5);
    }

    private byte[] read(FilePath path) throws IOException {
        // A hole at the end has no piece.
        return Arrays.copyOf(worker.read(table.locate(path).orElseThrow()), LENGTH);
    }

    private long storedBytes() throws IOException {
        LocatedFile file = table.locate(FILE).orElseThrow();
        return ((Placement.Mapped) file.placement())
                .pieces().stream()
                        .flatMap(piece -> ((Placement.Packed) piece.content().placement()).extents().stream())
                        .map(BlobExtent::extent)
                        .distinct()
                        .mapToLong(extent -> extent.storedLength())
                        .sum();
    }

    @Test
    void ofExtentsWithOneLiveByteOnlyThisByteIsCopied() throws IOException {
        byte[] bytes = oneByteOfEachExtent();
        assertThat(storedBytes()).isEqualTo(LENGTH);
        upkeep().compact();
        assertThat(read(FILE)).isEqualTo(bytes);
        assertThat(storedBytes()).isEqualTo(EXTENTS);
        upkeep().collect();
        assertThat(stores.objects.keys("blobs/")).singleElement().asString().contains("compacted");
        assertThat(read(FILE)).isEqualTo(bytes);
        loseMaster();
        assertThat(read(FILE)).isEqualTo(bytes);
        upkeep().compact();
        assertThat(read(FILE)).as("a second compaction finds nothing").isEqualTo(bytes);
    }

    @Test
    void bytesThatASnapshotSeesAreNotDead() throws IOException {
        byte[] whole = new byte[LENGTH];
        random.nextBytes(whole);
        Claim claim = hashed(session.newFileId(), FILE, whole);
        ClaimResult.Granted granted = (ClaimResult.Granted) session.claim(claim).join();
        worker.hold(new Reclaim(granted.version(), claim.path(), claim.attributes()), whole);
        worker.pushAll();
        worker.report(session);
        assertThat(table.apply(OperationVector.of(new Operation.CloneFile(FILE, CLONE, false, AttributeChange.NONE))))
                .isInstanceOf(VectorResult.Applied.class);
        byte[] bytes = whole.clone();
        punch(bytes, 1, LENGTH - 1);
        upkeep().compact();
        assertThat(read(CLONE)).isEqualTo(whole);
        assertThat(read(FILE)).isEqualTo(bytes);
        assertThat(table.delete(CLONE, false)).isEqualTo(Outcome.DONE);
        List<String> before = stores.objects.keys("blobs/");
        upkeep().trim();
        upkeep().compact();
        upkeep().collect();
        assertThat(stores.objects.keys("blobs/")).isNotEqualTo(before);
        assertThat(read(FILE)).isEqualTo(bytes);
    }
}
