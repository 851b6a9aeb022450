// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.packing.bdt.AppendTarget;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.master.table.WrittenDirectories.Written;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The counts of what was written by directory. */
final class WrittenDirectoriesTest {
    private final WrittenDirectories written = new WrittenDirectories();
    private long ids;

    private Claim claim(String path, long bytes) {
        return new Claim(++ids, new FilePath(path), new FileAttributes(bytes, 0, "", "", 0644), true, true);
    }

    private void granted(Claim claim) {
        List<ClaimResult> unused = written.claimed(
                List.of(claim), List.of(new ClaimResult.Granted(new FileVersion(claim.fileId(), claim.fileId()))));
    }

    @Test
    void directoriesBeyondTheLimitAreAddedUp() {
        for (int i = 0; i < WrittenDirectories.MOST + 5; i++) {
            granted(claim("/d%d/file".formatted(i), 10));
        }
        granted(claim("/d0/another", 1));
        assertThat(written.now())
                .hasSize(WrittenDirectories.MOST + 1)
                .containsEntry(WrittenDirectories.OTHERS, new Written(5, 50))
                .containsEntry("/d0", new Written(2, 11));
    }

    @Test
    void refusedFilesAndSharedBytesDoNotCountAndAppendedBytesCountWhereTheyGo() {
        Claim shared = new Claim(
                ++ids,
                new FilePath("/a/copy"),
                new FileAttributes(7, 0, "", "", 0644),
                true,
                true,
                false,
                Optional.of(Hashing.sha256().hashInt(1)),
                true);
        granted(shared);
        List<ClaimResult> unused =
                written.claimed(List.of(claim("/a/refused", 7)), List.of(new ClaimResult.Refused(Outcome.EXISTS)));
        assertThat(written.now()).isEmpty();
        Claim append = new Claim(
                ++ids,
                FilePath.SCRATCH.child("x"),
                new FileAttributes(9, 0, "", "", 0600),
                true,
                false,
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                RareAttributeChange.NONE,
                OptionalInt.empty(),
                Optional.of(new AppendTarget(new FilePath("/log/today"), new FileVersion(1, 1), 0)));
        granted(append);
        assertThat(written.now()).containsExactly(Map.entry("/log", new Written(0, 9)));
    }
}
