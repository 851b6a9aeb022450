// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that servers left, as those do that are killed between the sync of a write and the vector that maps it. */
class VolumeLogTest {
    private static final int SIZE = 1 << 20;
    private static final int BLOCK = 512;

    @TempDir
    Path home;

    private final ExecutorService background = Executors.newSingleThreadExecutor();
    private TestMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        mount.files().create(TestMount.VOLUME, SIZE);
    }

    @AfterEach
    void stop() throws IOException {
        background.shutdown();
        mount.close();
    }

    /** Opens the log of a server that will end without a word. */
    private VolumeLog openLog() throws IOException {
        return new VolumeOpening(mount.mount(), TestMount.VOLUME).open();
    }

    private static WrittenPiece block(int index, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
        while (bytes.hasRemaining()) {
            bytes.put((byte) value);
        }
        return WrittenPiece.copy((long) index * BLOCK, bytes.flip());
    }

    private static void log(VolumeLog log, WrittenPiece... pieces) throws IOException {
        WrittenRanges group = new WrittenRanges();
        List.of(pieces).forEach(group::put);
        WrittenRanges unused = log.write(log.next(), group);
    }

    private Volume serve(FilePath path) throws IOException {
        return Volume.open(mount.mount(), path, false, VolumeMemory.USUAL, background);
    }

    private static void assertBlock(int value, Volume volume, int index) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        volume.read((long) index * BLOCK, into);
        for (byte each : into.array()) {
            assertEquals(value, each, "block " + index);
        }
    }

    @Test
    void theNextServerPlaysGroupsInTheirOrder() throws IOException {
        VolumeLog log = openLog();
        log(log, block(0, 1), block(1, 1), block(2, 1), block(9, 1));
        // A group that a worker never got.
        VolumeLog.Slot unused = log.next();
        log(log, block(1, 2), WrittenPiece.hole(2L * BLOCK, BLOCK), block(SIZE / BLOCK - 1, 2));
        log.beginEpoch();
        log(log, WrittenPiece.hole(9L * BLOCK, BLOCK), block(3, 3));
        Volume volume = serve(TestMount.VOLUME);
        assertBlock(1, volume, 0);
        assertBlock(2, volume, 1);
        assertBlock(0, volume, 2);
        assertBlock(3, volume, 3);
        assertBlock(0, volume, 9);
        assertBlock(2, volume, SIZE / BLOCK - 1);
        volume.close();
        assertEquals(SIZE, status(TestMount.VOLUME).attributes().length());
        assertTrue(new VolumeLogs(mount.mount().bdt()).groups(log()).isEmpty());
    }

    private FileStatus status(FilePath path) throws IOException {
        return mount.mount().bdt().stat(path).orElseThrow();
    }

    private FilePath log() throws IOException {
        return VolumeLogs.directory(new VolumeLogs(mount.mount().bdt())
                .name(status(TestMount.VOLUME))
                .orElseThrow());
    }

    @Test
    void aServerThatIsKilledWhileItPlaysLosesNothing() throws IOException {
        log(openLog(), block(0, 1), block(1, 1));
        VolumeOpening killed = new VolumeOpening(mount.mount(), TestMount.VOLUME);
        FilePath taken = killed.takeOver().orElseThrow();
        log(new VolumeLog(mount.mount(), TestMount.VOLUME, taken), block(1, 2), block(2, 2));
        FilePath again =
                new VolumeOpening(mount.mount(), TestMount.VOLUME).takeOver().orElseThrow();
        assertEquals(2, new VolumeLogs(mount.mount().bdt()).groups(again).size());
        Volume volume = serve(TestMount.VOLUME);
        assertBlock(1, volume, 0);
        assertBlock(2, volume, 1);
        assertBlock(2, volume, 2);
        volume.close();
    }

    @Test
    void aServerWhoseLogWasTakenAwaySyncsNothing() throws IOException {
        VolumeLog first = openLog();
        log(first, block(0, 1));
        VolumeLog second = openLog();
        assertThrows(VolumeLostException.class, () -> log(first, block(0, 2)));
        first.beginEpoch();
        assertThrows(VolumeLostException.class, () -> log(first, block(0, 2)));
        log(second, block(1, 3));
        Volume volume = serve(TestMount.VOLUME);
        assertBlock(1, volume, 0);
        assertBlock(3, volume, 1);
        volume.close();
    }

    @Test
    void aSnapshotHasWhatWasSynced() throws Exception {
        Volume volume = serve(TestMount.VOLUME);
        for (int i = 1; i <= 5; i++) {
            volume.write(0, block(0, i).bytes());
            Void unused = volume.flush().get();
            FilePath snapshot = mount.files().snapshot(TestMount.VOLUME, "s" + i);
            Volume of = serve(snapshot);
            assertTrue(of.isReadOnly());
            assertBlock(i, of, 0);
            of.close();
        }
        volume.close();
    }

    @Test
    void withoutAServerNoCopyIsMadeOfAVolumeWithALog() throws IOException {
        log(openLog(), block(0, 1));
        VolumeLogs impatient = new VolumeLogs(mount.mount().bdt(), 20);
        IOException failure = assertThrows(IOException.class, () -> impatient.awaitMapped(status(TestMount.VOLUME)));
        assertTrue(failure.toString().contains("serve it for writing"), failure.toString());
        serve(TestMount.VOLUME).close();
        impatient.awaitMapped(status(TestMount.VOLUME));
    }

    @Test
    void theLogOfAVolumeIsNotThatOfItsClones() throws IOException {
        assertEquals(Outcome.DONE, mount.mount().bdt().mkdir(new FilePath("/d"), VolumeLog.DIRECTORY, false));
        FilePath origin = new FilePath("/d/v");
        mount.files().clone(TestMount.VOLUME, origin);
        Volume first = serve(origin);
        first.write(0, block(0, 1).bytes());
        first.close();
        VolumeLog log = new VolumeOpening(mount.mount(), origin).open();
        log(log, block(0, 2));
        VectorResult cloned = mount.mount()
                .bdt()
                .apply(OperationVector.of(
                        new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/e")),
                        new Operation.CloneFile(origin, new FilePath("/f"), false, AttributeChange.NONE)));
        assertInstanceOf(VectorResult.Applied.class, cloned);
        for (String clone : List.of("/e/v", "/f")) {
            Volume of = serve(new FilePath(clone));
            assertBlock(1, of, 0);
            of.write(0, block(0, 3).bytes());
            of.close();
        }
        log(log, block(1, 2));
        Volume again = serve(origin);
        assertBlock(2, again, 0);
        assertBlock(2, again, 1);
        again.close();
        Volume clone = serve(new FilePath("/e/v"));
        assertBlock(3, clone, 0);
        assertBlock(0, clone, 1);
        clone.close();
    }

    @Test
    void aMovedVolumeKeepsItsLog() throws IOException {
        log(openLog(), block(0, 1));
        FilePath moved = new FilePath("/moved");
        assertEquals(Outcome.DONE, mount.mount().bdt().rename(TestMount.VOLUME, moved));
        Volume volume = serve(moved);
        assertBlock(1, volume, 0);
        volume.close();
    }
}
