// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.simulation.schedule.FaultSites.Kind;
import io.packing.simulation.schedule.FaultSites.Site;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sites of a farm's processes, as lines and as sums. */
class PlayedSitesTest {
    private static final Site FORCE = new Site(Kind.SYNC, "Log:7", "FileChannel.force", 3, 0);
    private static final Site WRITE = new Site(Kind.WRITE, "Buffer:2", "Files.write", 5, 1);

    @Test
    void aSiteIsReadBackFromItsLine() {
        assertThat(PlayedSites.parse(PlayedSites.line(FORCE))).isEqualTo(FORCE);
    }

    @Test
    void otherLinesAreRefused() {
        assertThatThrownBy(() -> PlayedSites.parse("7,lost,9")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFaultInAnyProcessMeetsTheSite() {
        PlayedSites sites = new PlayedSites();
        sites.add(List.of(FORCE, WRITE));
        sites.add(List.of(new Site(Kind.SYNC, "Log:7", "FileChannel.force", 4, 2)));
        assertThat(sites.all()).containsExactly(WRITE, new Site(Kind.SYNC, "Log:7", "FileChannel.force", 7, 2));
    }
}
