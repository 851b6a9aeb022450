// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TraceFilterTest {
    private static TraceEvent event(Call call, String path, String target) {
        return new TraceEventBuilder(call).path(path).target(target).build();
    }

    private static boolean keeps(TraceFilter filter, String path) {
        return filter.keeps(event(Call.OPEN, path, ""));
    }

    @Test
    void onlyNamedCallsAreKept() {
        TraceFilter filter = new TraceFilter(Set.of(Call.OPEN), List.of(), List.of(), 1);
        assertThat(filter.keeps(event(Call.OPEN, "/a", ""))).isTrue();
        assertThat(filter.keeps(event(Call.DELETE, "/a", ""))).isFalse();
    }

    @Test
    void aDirectoryKeepsWhatIsBelowItAndNotItsNamesakes() {
        TraceFilter filter = new TraceFilter(Set.of(), List.of("/hbase/"), List.of("/hbase/WALs"), 1);
        assertThat(keeps(filter, "/hbase")).isTrue();
        assertThat(keeps(filter, "/hbase/data/f")).isTrue();
        assertThat(keeps(filter, "/hbase2/f")).isFalse();
        assertThat(keeps(filter, "/hbase/WALs/w")).isFalse();
        assertThat(keeps(filter, "/hbase/WALs2")).isTrue();
        assertThat(keeps(new TraceFilter(Set.of(), List.of("/"), List.of(), 1), "/any/path"))
                .isTrue();
    }

    @Test
    void aRenameIsKeptForEitherOfItsNames() {
        TraceFilter filter = new TraceFilter(Set.of(), List.of("/out"), List.of(), 1);
        assertThat(filter.keeps(event(Call.RENAME, "/tmp/f", "/out/f"))).isTrue();
        assertThat(filter.keeps(event(Call.RENAME, "/tmp/f", "/tmp/g"))).isFalse();
    }

    @Test
    void aSampleKeepsItsShareOfFilesAndEveryCallOfThem() {
        TraceFilter filter = new TraceFilter(Set.of(), List.of(), List.of(), 0.1);
        int kept = 0;
        for (int i = 0; i < 100_000; i++) {
            String path = "/hbase/data/f" + i;
            boolean keeps = keeps(filter, path);
            assertThat(filter.keeps(event(Call.DELETE, path, ""))).isEqualTo(keeps);
            kept += keeps ? 1 : 0;
        }
        assertThat(kept / 100_000.0).isCloseTo(0.1, Offset.offset(0.005));
    }

    @Test
    void aSampleOfNothingOrMoreThanAllIsRefused() {
        for (double share : new double[] {0, -1, 1.01, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TraceFilter(Set.of(), List.of(), List.of(), share));
        }
    }
}
