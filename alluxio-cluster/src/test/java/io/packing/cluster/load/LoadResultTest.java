package io.packing.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class LoadResultTest {
    @Test
    void aResultSurvivesItsLine() {
        var result = new LoadResult(3, 300, 5_000_000_000L, 7, 1, 0, "/a/b: other bytes");
        assertThat(LoadResult.fromLine(result.toLine())).contains(result);
        assertThat(result.isClean()).isFalse();
        assertThat(result.seconds()).isEqualTo(5);
    }

    @Test
    void aResultWithoutErrorSurvivesItsLine() {
        var result = new LoadResult(3, 300, 1, 2, 0, 0, "");
        assertThat(LoadResult.fromLine(result.toLine())).contains(result);
        assertThat(result.isClean()).isTrue();
    }

    @Test
    void anErrorOfManyLinesStaysOnOne() {
        var line = new LoadResult(0, 0, 1, 0, 0, 1, "a\nb").toLine();
        assertThat(line.lines()).hasSize(1);
    }

    @Test
    void theReaderTellsProgressAndIgnoresNoise() throws IOException {
        var seen = new ArrayList<Long>();
        var reader = new LoadResult.Reader(seen::add);
        reader.accept("log4j:WARN something");
        reader.accept(LoadResult.progressLine(17));
        reader.accept(new LoadResult(17, 1, 1, 0, 0, 0, "").toLine());
        assertThat(seen).containsExactly(17L);
        assertThat(reader.result().files()).isEqualTo(17);
    }

    @Test
    void anOutputWithoutResultIsAnError() {
        assertThatThrownBy(new LoadResult.Reader(n -> {})::result).isInstanceOf(IOException.class);
    }
}
