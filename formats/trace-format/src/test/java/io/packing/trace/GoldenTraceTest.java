// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that a file of version 1 stays readable for ever. */
class GoldenTraceTest {
    @Test
    void theGoldenFileOfVersion1IsReadAsItWasWritten() throws IOException {
        InputStream golden = Objects.requireNonNull(getClass().getResourceAsStream("/golden-v1.htfs"));
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFileReader reader = TraceFileReader.of("golden-v1.htfs", golden)) {
            for (Optional<TraceEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                events.add(next.get());
            }
            assertThat(reader.report())
                    .isEqualTo(new TraceReport(300, 12, reader.report().unknownCalls(), 0, 0, 0, 0, false));
        }
        assertThat(events).isEqualTo(Events.random(42, 300));
    }
}
