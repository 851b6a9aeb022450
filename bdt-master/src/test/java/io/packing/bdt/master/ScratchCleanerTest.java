// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.ScratchNames;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.ScratchCleaner;
import io.packing.blob.FilePath;
import io.packing.seed.GivenClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that died between its scratch file and the vector leaves nothing for ever. */
class ScratchCleanerTest extends MountFixture {
    private static final Duration PASSES = Duration.ofMinutes(1);
    private static final Instant START = Instant.ofEpochSecond(1_700_000_000);
    private long seconds;

    private void claimedAtStart(String path) throws IOException {
        claim(path);
        assertThat(table.setAttributes(new FilePath(path), AttributeChange.ofMtime(START.toEpochMilli())))
                .isEqualTo(Outcome.DONE);
    }

    private boolean isThere(String path) throws IOException {
        return table.stat(new FilePath(path)).isPresent();
    }

    private ScratchCleaner cleaner() throws IOException {
        return new ScratchCleaner(
                "m",
                master.openMount(TestStores.MOUNT).table(),
                PASSES,
                new Clocks(
                        new GivenClock(() -> START.plusSeconds(seconds)),
                        () -> Duration.ofSeconds(seconds).toNanos()));
    }

    @Test
    void scratchFilesOfADayGoAndNothingElse() throws IOException {
        claimedAtStart("/.reserved/scratch/left");
        claimedAtStart("/file");
        ScratchCleaner cleaner = cleaner();
        assertThat(cleaner.step()).isFalse();
        assertThat(isThere("/.reserved/scratch/left")).isTrue();
        seconds = ScratchCleaner.AGE.toSeconds();
        assertThat(cleaner.step()).isFalse();
        assertThat(isThere("/.reserved/scratch/left")).isTrue();
        // The next pass is a minute later.
        seconds++;
        assertThat(cleaner.step()).isFalse();
        assertThat(isThere("/.reserved/scratch/left")).isTrue();
        seconds += PASSES.toSeconds();
        assertThat(cleaner.step()).isFalse();
        assertThat(isThere("/.reserved/scratch/left")).isFalse();
        assertThat(isThere("/file")).isTrue();
    }

    @Test
    void aDirectoryOfAFileStaysAsLongAsTheFile() throws IOException {
        claimedAtStart("/volume");
        long id = table.stat(new FilePath("/volume")).orElseThrow().version().id();
        String kept = FilePath.SCRATCH.child(ScratchNames.of(id)).value();
        String left = FilePath.SCRATCH.child(ScratchNames.of(id + 1_000_000)).value();
        for (String each : List.of(kept, left)) {
            assertThat(table.mkdir(new FilePath(each), new DirectoryAttributes("", "", 0700), true))
                    .isEqualTo(Outcome.DONE);
            assertThat(table.setAttributes(new FilePath(each), AttributeChange.ofMtime(START.toEpochMilli())))
                    .isEqualTo(Outcome.DONE);
        }
        seconds = 2 * ScratchCleaner.AGE.toSeconds();
        assertThat(cleaner().step()).isFalse();
        assertThat(isThere(kept)).isTrue();
        assertThat(isThere(left)).isFalse();
        assertThat(table.delete(new FilePath("/volume"), false)).isEqualTo(Outcome.DONE);
        assertThat(cleaner().step()).isFalse();
        assertThat(isThere(kept)).isFalse();
    }
}
