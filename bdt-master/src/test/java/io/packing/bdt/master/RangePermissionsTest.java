// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.ByteRange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Operation;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights of users on the bytes of a version that files of a table share. The file has 8 bytes, and only its owner may read it. */
@Timeout(120)
class RangePermissionsTest extends PermissionsFixture {
    private static final FilePath CLONE = path("/clone");
    private static final OptionalLong ALL_OR_NOTHING = OptionalLong.empty();
    private static final OptionalLong FROM_START = OptionalLong.of(0);

    private FilePath file = FilePath.ROOT;
    private FileVersion version = new FileVersion(1, 0);

    @BeforeEach
    void write() throws IOException {
        // One of three has no bytes.
        claim("/1");
        claim("/2");
        file = path(at("/1").length() > 0 ? "/1" : "/2");
        version = table.stat(file).orElseThrow().version();
        done(as(Permissions.UNCHECKED).setAttributes(0, file, mode(0600)));
        apply(as(Permissions.UNCHECKED), new Operation.CreateFile(CLONE, mode(0644), false));
    }

    private void clone(long from, long length, long at) throws IOException {
        apply(as(Permissions.UNCHECKED), new Operation.CloneRange(new ByteRange(file, from, length), CLONE, at));
    }

    private static ReadableBytes.Range range(long from, long to) {
        return new ReadableBytes.Range(from, to);
    }

    private List<ReadableBytes.Range> readable(FilePath path) throws IOException {
        return as(CAROL).readable(path, version, FROM_START).orElseThrow().ranges();
    }

    /** A version that the caller may not read is refused, or answered as one that is not there. */
    private void noBytes(FilePath openedAs) throws IOException {
        try {
            assertThat(as(CAROL).readable(openedAs, version, FROM_START)).isEmpty();
        } catch (DeniedException e) {
            assertThat(e).hasMessageContaining("Permission denied");
        }
    }

    @Test
    void aCloneOfSomeBytesGivesThose() throws IOException {
        clone(1, 2, 0);
        assertThat(readable(CLONE)).containsExactly(range(1, 3));
        // Ranges that touch in the version are one, wherever they are in the file.
        clone(3, 1, 10);
        clone(6, 1, 20);
        assertThat(readable(CLONE)).containsExactly(range(1, 4), range(6, 7));
        denied(() -> as(CAROL).readable(file, version, FROM_START));
        noBytes(FilePath.ROOT);
        noBytes(path("/nothing"));
        assertThat(as(Permissions.UNCHECKED).readable(FilePath.ROOT, version, FROM_START))
                .contains(ReadableBytes.ALL);
    }

    @Test
    void whatIsCutOffIsNotReadAnyMore() throws IOException {
        clone(0, 8, 0);
        apply(as(Permissions.UNCHECKED), new Operation.DeleteRange(new ByteRange(CLONE, 2, 3)));
        assertThat(readable(CLONE)).containsExactly(range(0, 2), range(5, 8));
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(CLONE, 6));
        assertThat(readable(CLONE)).containsExactly(range(0, 2), range(5, 6));
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(CLONE, 8));
        assertThat(readable(CLONE)).containsExactly(range(0, 2), range(5, 6));
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(CLONE, 0));
        noBytes(CLONE);
    }

    @Test
    void theFileOfTheVersionItselfGivesWhatItHasLeft() throws IOException {
        done(as(Permissions.UNCHECKED).setAttributes(0, file, mode(0644)));
        assertThat(as(CAROL).readable(FilePath.ROOT, version, ALL_OR_NOTHING)).isPresent();
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(file, 3));
        assertThat(readable(file)).containsExactly(range(0, 3));
        noBytes(FilePath.ROOT);
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(file, 0));
        // No file has any of its bytes.
        assertThat(as(CAROL).readable(file, version, FROM_START)).isEmpty();
    }

    @Test
    void aWorkerThatHeedsNoRangesMayServeWholeVersionsOnly() throws IOException {
        clone(0, 7, 0);
        String message = denied(() -> as(CAROL).readable(CLONE, version, ALL_OR_NOTHING));
        assertThat(message).contains("update the worker");
        clone(7, 1, 7);
        assertThat(as(CAROL).readable(CLONE, version, ALL_OR_NOTHING)).isPresent();
    }

    @Test
    void aContentCountsInItsGenerationOnly() throws IOException {
        clone(0, 4, 0);
        for (long generation : new long[] {0, version.generation() - 1, version.generation() + 1}) {
            FileVersion stale = new FileVersion(version.id(), generation);
            assertThat(as(CAROL).readable(CLONE, stale, FROM_START)).isEmpty();
            assertThat(as(CAROL).locate(stale, CLONE)).isEmpty();
        }
        assertThat(as(CAROL).locate(version, CLONE)).isPresent();
    }

    @Test
    void aSnapshotGivesWhatItsFileHad() throws IOException {
        clone(0, 4, 0);
        apply(as(Permissions.UNCHECKED), new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        apply(as(Permissions.UNCHECKED), new Operation.Truncate(CLONE, 1));
        assertThat(readable(CLONE)).containsExactly(range(0, 1));
        assertThat(readable(path("/.snapshot/s/clone"))).containsExactly(range(0, 4));
        denied(() -> as(CAROL).readable(path("/.snapshot/s" + file.value()), version, FROM_START));
    }

    @Test
    void anAnswerTellsOfTheBytesFromItsOffsetOn() throws IOException {
        List<Operation> pieces = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pieces.add(new Operation.CloneRange(new ByteRange(file, 2L * i, 1), CLONE, 10L * i));
        }
        apply(as(Permissions.UNCHECKED), pieces.toArray(Operation[]::new));
        ReadableBytes later =
                as(CAROL).readable(CLONE, version, OptionalLong.of(3)).orElseThrow();
        assertThat(later.ranges()).containsExactly(range(4, 5), range(6, 7));
        assertThat(later.tellsOf(2)).isFalse();
        assertThat(later.endFrom(3)).isEqualTo(3);
        assertThat(later.endFrom(4)).isEqualTo(5);
        assertThat(later.tellsOf(Long.MAX_VALUE - 1)).isTrue();
    }
}
