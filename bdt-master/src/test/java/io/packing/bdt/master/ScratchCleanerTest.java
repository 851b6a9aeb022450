// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.ScratchCleaner;
import io.packing.blob.FilePath;
import io.packing.seed.GivenClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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

    @Test
    void scratchFilesOfADayGoAndNothingElse() throws IOException {
        claimedAtStart("/.reserved/scratch/left");
        claimedAtStart("/file");
        ScratchCleaner cleaner = new ScratchCleaner(
                "m",
                master.openMount(TestStores.MOUNT).table(),
                PASSES,
                new Clocks(
                        new GivenClock(() -> START.plusSeconds(seconds)),
                        () -> Duration.ofSeconds(seconds).toNanos()));
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
}
