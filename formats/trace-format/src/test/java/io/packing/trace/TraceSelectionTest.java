// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceSelectionTest {
    private static TraceEvent event(Call call, String path, long wall) {
        return new TraceEventBuilder(call).path(path).at(wall, wall).build();
    }

    private static TraceSelection under(String directory) {
        return new TraceSelection(
                new TraceFilter(Set.of(), List.of(directory), List.of(), 1), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    void aTimeIsFromItsStartToBeforeItsEnd() {
        TraceSelection selection = new TraceSelection(TraceFilter.ALL, 10, 20);
        assertThat(List.of(9L, 10L, 19L, 20L))
                .filteredOn(wall -> selection.keeps(event(Call.OPEN, "/a", wall)))
                .containsExactly(10L, 19L);
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceSelection(TraceFilter.ALL, 20, 20));
    }

    @Test
    void whoNamesADirectoryDoesNotGetCallsWithoutAPath() {
        assertThat(under("/a").keeps(event(Call.OPEN, "/a/b", 0))).isTrue();
        assertThat(under("/a").keeps(event(Call.GET_STATUS, "", 0))).isFalse();
        assertThat(TraceSelection.ALL.keeps(event(Call.GET_STATUS, "", 0))).isTrue();
    }

    @Test
    void onlyTheWantedEventsOfATraceAreGiven() throws IOException {
        List<TraceEvent> events =
                List.of(event(Call.OPEN, "/a/1", 1), event(Call.OPEN, "/b/1", 2), event(Call.DELETE, "/a/2", 3));
        Iterator<TraceEvent> left = events.iterator();
        TraceSource all = new TraceSource() {
            @Override
            public Optional<TraceEvent> next() {
                return left.hasNext() ? Optional.of(left.next()) : Optional.empty();
            }

            @Override
            public void close() {}
        };
        try (TraceSource wanted = under("/a").of(all)) {
            assertThat(wanted.next()).contains(events.get(0));
            assertThat(wanted.next()).contains(events.get(2));
            assertThat(wanted.next()).isEmpty();
        }
    }
}
