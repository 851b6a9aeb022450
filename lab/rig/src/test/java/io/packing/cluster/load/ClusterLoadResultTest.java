// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterLoadResultTest {
    @Test
    void aResultSurvivesItsLine() {
        ClusterLoadResult result = new ClusterLoadResult(3, 300, 5_000_000_000L, 7, 1, 0, "/a/b: other bytes");
        assertThat(ClusterLoadResult.fromLine(result.toLine())).contains(result);
        assertThat(result.isClean()).isFalse();
        assertThat(result.seconds()).isEqualTo(5);
    }

    @Test
    void aResultWithoutErrorSurvivesItsLine() {
        ClusterLoadResult result = new ClusterLoadResult(3, 300, 1, 2, 0, 0, "");
        assertThat(ClusterLoadResult.fromLine(result.toLine())).contains(result);
        assertThat(result.isClean()).isTrue();
    }

    @Test
    void anErrorOfManyLinesStaysOnOne() {
        String line = new ClusterLoadResult(0, 0, 1, 0, 0, 1, "a\nb").toLine();
        assertThat(line.lines()).hasSize(1);
    }

    @Test
    void theReaderTellsWhatHappensAndIgnoresNoise() throws IOException {
        List<String> told = new ArrayList<>();
        ClusterLoadResult.Reader reader = new ClusterLoadResult.Reader(new ClusterLoadResult.Listener() {
            @Override
            public void begins() {
                told.add("begins");
            }

            @Override
            public void progress(long files) {
                told.add("progress " + files);
            }

            @Override
            public void ended(ClusterLoadResult result) {
                told.add("ended " + result.files());
            }
        });
        reader.accept("log4j:WARN something");
        for (int i = 0; i < 2; i++) {
            reader.accept(ClusterLoadResult.BEGIN);
            reader.accept(ClusterLoadResult.progressLine(9));
            reader.accept(new ClusterLoadResult(17, 1, 1, 0, 0, 0, "").toLine());
        }
        assertThat(told).containsExactly("begins", "progress 9", "ended 17", "begins", "progress 26", "ended 17");
        assertThat(reader.results()).extracting(ClusterLoadResult::files).containsExactly(17L, 17L);
    }

    @Test
    void anOutputWithoutResultIsAnError() {
        assertThatThrownBy(new ClusterLoadResult.Reader(new ClusterLoadResult.Listener() {})::results)
                .isInstanceOf(IOException.class);
    }
}
