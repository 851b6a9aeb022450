package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TraceOriginTest {
    private final TraceOrigin origin = new TraceOrigin("host", 7, "regionserver");

    @Test
    void originsWithTheSameNamesAndNumberAreOne() {
        assertThat(new TraceOrigin("host", 7, "regionserver")).isEqualTo(origin).hasSameHashCodeAs(origin);
    }

    @Test
    void everyPartTellsOriginsApart() {
        assertThat(origin)
                .isNotEqualTo(new TraceOrigin("other", 7, "regionserver"))
                .isNotEqualTo(new TraceOrigin("host", 8, "regionserver"))
                .isNotEqualTo(new TraceOrigin("host", 7, "hmaster"))
                .isNotEqualTo("host");
    }
}
