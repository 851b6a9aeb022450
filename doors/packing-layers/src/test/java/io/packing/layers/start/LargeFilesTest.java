// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ReadOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts that read large files here and there, as programs do with their libraries. */
@Timeout(300)
class LargeFilesTest extends StartsFixture {
    private static final ImageName LARGE = new ImageName("team/large", "v1");
    private static final int PLACES = 7;
    private static final int READ = 128 << 10;

    private final byte[] bytes = new byte[PLACES * LargeFiles.PLACE_BYTES];

    @BeforeEach
    void makeImage() throws IOException {
        random.nextBytes(bytes);
        FilePath root = container("made", IMAGE);
        for (String name : List.of("large", "another")) {
            try (PackingOutput out = registry.files().create(root.child(name))) {
                out.write(bytes);
            }
        }
        rig.mount().flush();
        containers.snapshot("made", LARGE);
    }

    private FilePath started(Machine machine, String name) throws IOException {
        FilePath root = container(name, LARGE);
        machine.starts.lookedUp(root);
        return root.child("large");
    }

    /** As the kernel reads in the middle of a place; returns the requests to the store. */
    private int read(Machine machine, FilePath path, int place) throws IOException {
        int before = machine.counted.gets();
        int offset = place * LargeFiles.PLACE_BYTES + LargeFiles.PLACE_BYTES / 2;
        ByteBuffer into = ByteBuffer.allocate(READ);
        try (PackingInput input = machine.counted.mount().open(path)) {
            while (into.hasRemaining()) {
                assertThat(input.readOnce(offset + into.position(), into)).isPositive();
            }
        }
        assertThat(into.array()).isEqualTo(Arrays.copyOfRange(bytes, offset, offset + READ));
        int needed = machine.counted.gets() - before;
        machine.starts.read(path, offset, READ);
        return needed;
    }

    @Test
    void theRestComesWhenAFileIsReadInAFewPlaces() throws Exception {
        Machine machine = new Machine();
        FilePath path = started(machine, "one");
        for (int place : new int[] {6, 0, 3}) {
            assertThat(read(machine, path, place)).as("place %d", place).isPositive();
        }
        for (int place = 0; place < PLACES; place++) {
            assertThat(read(machine, path, place)).as("place %d", place).isZero();
        }
    }

    @Test
    void aFileThatIsReadInTwoPlacesIsReadNowhereElse() throws Exception {
        Machine machine = new Machine();
        FilePath path = started(machine, "one");
        int unused = read(machine, path, 6);
        unused = read(machine, path, 0);
        int before = machine.counted.gets();
        unused = read(machine, path, 6);
        assertThat(machine.counted.gets()).isEqualTo(before);
        assertThat(read(machine, path, 2)).isPositive();
    }

    @Test
    void aStartThatIsKnownReadsWhatItReadBefore() throws Exception {
        Machine first = new Machine();
        FilePath one = started(first, "one");
        for (int place : new int[] {0, 2, 4}) {
            assertThat(read(first, one, place)).isPositive();
        }
        first.endStart();
        Machine second = new Machine();
        FilePath two = started(second, "two");
        int before = second.counted.gets();
        for (int place : new int[] {0, 2, 4}) {
            assertThat(read(second, two, place)).as("place %d", place).isZero();
        }
        assertThat(second.counted.gets()).isEqualTo(before);
        assertThat(read(second, two, 6)).as("nobody read there").isPositive();
    }

    @Test
    void aFileForWhichTheCacheHasNoRoomIsReadAsItIsAskedFor() throws Exception {
        Machine small = new Machine(Map.of(ReadOptions.CACHE_BYTES.key(), String.valueOf(bytes.length)));
        FilePath path = started(small, "one");
        for (int place : new int[] {6, 0, 3, 5}) {
            assertThat(read(small, path, place)).as("place %d", place).isPositive();
        }
    }

    @Test
    void whatIsBroughtForAStartDoesNotPushItselfOut() throws Exception {
        Machine machine = new Machine(Map.of(ReadOptions.CACHE_BYTES.key(), String.valueOf(2L * bytes.length)));
        FilePath path = started(machine, "one");
        FilePath another = path.parent().orElseThrow().child("another");
        for (int place : new int[] {6, 0, 3}) {
            assertThat(read(machine, path, place)).as("place %d", place).isPositive();
            assertThat(read(machine, another, place)).as("place %d", place).isPositive();
        }
        assertThat(read(machine, path, 1)).isZero();
        assertThat(read(machine, another, 1)).as("there is no room for two").isPositive();
    }
}
