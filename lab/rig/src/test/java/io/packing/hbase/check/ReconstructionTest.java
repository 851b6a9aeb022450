// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReconstructionTest {
    private static final TraceOrigin SERVER = new TraceOrigin("host", 1, "regionserver-0");
    private static final TraceOrigin MASTER = new TraceOrigin("host", 2, "hmaster");

    /** A trace that the test writes event by event, in order of time. */
    private static final class Trace implements TraceSource {
        private final List<TraceEvent> events = new ArrayList<>();
        private Iterator<TraceEvent> left = events.iterator();

        private TraceEventBuilder next(TraceOrigin origin, Call call) {
            return new TraceEventBuilder(call).origin(origin).at(events.size() * 10L, events.size() * 10L);
        }

        Trace create(TraceOrigin origin, String path, long stream) {
            return add(next(origin, Call.CREATE).path(path).stream(stream));
        }

        Trace write(TraceOrigin origin, long stream, long offset, long bytes) {
            return add(
                    next(origin, Call.WRITE).stream(stream).range(offset, bytes).result(bytes));
        }

        Trace rename(String from, String to, long result) {
            return add(next(MASTER, Call.RENAME).path(from).target(to).result(result));
        }

        Trace call(Call call, String path, long result) {
            return add(next(MASTER, call).path(path).result(result));
        }

        Trace add(TraceEventBuilder event) {
            events.add(event.build());
            return this;
        }

        Completeness against(Map<String, Long> lengths) throws Exception {
            left = events.iterator();
            return Reconstruction.of(this).compare(new FileLengths(lengths));
        }

        @Override
        public Optional<TraceEvent> next() {
            return left.hasNext() ? Optional.of(left.next()) : Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static Trace written() {
        return new Trace()
                .create(SERVER, "/hbase/a", 1)
                .write(SERVER, 1, 0, 100)
                .write(SERVER, 1, 100, 50);
    }

    @Test
    void aFileIsAsLongAsItsWrites() throws Exception {
        Completeness result = written().against(Map.of("/hbase/a", 150L));
        assertThat(result.isComplete()).isTrue();
        assertThat(result.files()).isEqualTo(1);
        assertThat(result.tracedBytes()).isEqualTo(150).isEqualTo(result.bytes());
        assertThat(result.summary()).startsWith("complete");
    }

    @Test
    void aFileWithoutWritesIsEmpty() throws Exception {
        assertThat(new Trace().create(SERVER, "/a", 1).against(Map.of("/a", 0L)).isComplete())
                .isTrue();
    }

    @Test
    void anotherLengthIsADifference() throws Exception {
        Completeness result = written().against(Map.of("/hbase/a", 151L));
        assertThat(result.isComplete()).isFalse();
        assertThat(result.differences()).containsExactly("/hbase/a: 151 bytes, 150 in the trace");
        assertThat(result.summary()).startsWith("NOT complete: 150 of 151 bytes");
    }

    @Test
    void aFileThatTheTraceDoesNotKnowIsADifference() throws Exception {
        assertThat(written().against(Map.of("/hbase/a", 150L, "/b", 7L)).differences())
                .containsExactly("/b: 7 bytes, not in the trace");
    }

    @Test
    void aFileThatOnlyTheTraceKnowsIsADifference() throws Exception {
        assertThat(written().against(Map.of()).differences())
                .containsExactly("/hbase/a: not there, 150 bytes in the trace");
    }

    @Test
    void aHoleIsADiscontinuityEvenIfTheLengthIsRight() throws Exception {
        Trace hole = new Trace().create(SERVER, "/a", 1).write(SERVER, 1, 0, 10).write(SERVER, 1, 11, 9);
        assertThat(hole.against(Map.of("/a", 20L)).discontinuities()).isEqualTo(1);
        Trace late = new Trace().create(SERVER, "/a", 1).write(SERVER, 1, 5, 10);
        assertThat(late.against(Map.of("/a", 15L)).discontinuities()).isEqualTo(1);
    }

    @Test
    void bytesThatAreWrittenTwiceAreADiscontinuity() throws Exception {
        Trace twice =
                new Trace().create(SERVER, "/a", 1).write(SERVER, 1, 0, 10).write(SERVER, 1, 9, 11);
        Completeness result = twice.against(Map.of("/a", 20L));
        assertThat(result.differences()).isEmpty();
        assertThat(result.discontinuities()).isEqualTo(1);
        assertThat(result.isComplete()).isFalse();
    }

    @Test
    void theOrderInWhichThreadsWereTracedDoesNotMatter() throws Exception {
        Trace trace =
                new Trace().write(SERVER, 1, 10, 10).write(SERVER, 1, 0, 10).create(SERVER, "/a", 1);
        assertThat(trace.against(Map.of("/a", 20L)).isComplete()).isTrue();
    }

    @Test
    void aRenamedFileKeepsWhatIsWrittenToItByAnotherProcess() throws Exception {
        Trace trace = written()
                .rename("/hbase/a", "/hbase/b", 1)
                .write(SERVER, 1, 150, 50)
                .create(MASTER, "/hbase/a", 1)
                .write(MASTER, 1, 0, 3);
        assertThat(trace.against(Map.of("/hbase/b", 200L, "/hbase/a", 3L)).differences())
                .isEmpty();
    }

    @Test
    void aFolderIsRenamedWithWhatIsInIt() throws Exception {
        Trace trace = written().rename("/hbase", "/old", 1);
        assertThat(trace.against(Map.of("/old/a", 150L)).isComplete()).isTrue();
    }

    @Test
    void whatIsRenamedToAFolderMovesIntoIt() throws Exception {
        Trace trace = written().call(Call.MKDIRS, "/archive/x", 1).rename("/hbase/a", "/archive/x", 1);
        assertThat(trace.against(Map.of("/archive/x/a", 150L)).isComplete()).isTrue();
    }

    @Test
    void aRenameWithoutAResultHappenedAndARefusedOneDidNot() throws Exception {
        assertThat(written()
                        .rename("/hbase/a", "/b", TraceEvent.NONE)
                        .against(Map.of("/b", 150L))
                        .isComplete())
                .isTrue();
        assertThat(written()
                        .rename("/hbase/a", "/b", 0)
                        .against(Map.of("/hbase/a", 150L))
                        .isComplete())
                .isTrue();
    }

    @Test
    void whatIsDeletedIsGoneWithEverythingBelowButNotItsNeighbours() throws Exception {
        Trace trace = written()
                .create(SERVER, "/hbase-2/a", 2)
                .write(SERVER, 2, 0, 5)
                .call(Call.DELETE, "/hbase", 1)
                .call(Call.DELETE, "/hbase-2", 0);
        assertThat(trace.against(Map.of("/hbase-2/a", 5L)).isComplete()).isTrue();
    }

    @Test
    void aFileThatIsMadeAgainStartsEmpty() throws Exception {
        Trace trace = written().create(SERVER, "/hbase/a", 2).write(SERVER, 2, 0, 5);
        assertThat(trace.against(Map.of("/hbase/a", 5L)).isComplete()).isTrue();
    }

    @Test
    void anAppendGoesOnWhereTheFileEnded() throws Exception {
        Trace trace = written()
                .add(new TraceEventBuilder(Call.APPEND).origin(MASTER).at(1000, 1000).path("/hbase/a").stream(9))
                .write(MASTER, 9, 150, 50);
        assertThat(trace.against(Map.of("/hbase/a", 200L)).isComplete()).isTrue();
    }

    @Test
    void callsThatFailedChangedNothing() throws Exception {
        Trace trace = written()
                .add(new TraceEventBuilder(Call.DELETE)
                        .path("/hbase/a")
                        .at(500, 500)
                        .error("IOException"))
                .add(new TraceEventBuilder(Call.CREATE).path("/c").at(501, 501).error("IOException"))
                .add(new TraceEventBuilder(Call.WRITE)
                        .origin(SERVER).at(502, 502).stream(1).range(150, 10).error("IOException"));
        assertThat(trace.against(Map.of("/hbase/a", 150L)).isComplete()).isTrue();
    }

    @Test
    void writesToAStreamThatNobodyOpenedAreReported() throws Exception {
        Completeness result = written().write(SERVER, 7, 0, 5).against(Map.of("/hbase/a", 150L));
        assertThat(result.unopenedStreams()).isEqualTo(1);
        assertThat(result.isComplete()).isFalse();
    }

    @Test
    void callsThatAreNotFollowedAreNamed() throws Exception {
        Completeness result = written().call(Call.TRUNCATE, "/hbase/a", 1).against(Map.of("/hbase/a", 150L));
        assertThat(result.notFollowed()).containsExactly("truncate");
        assertThat(result.isComplete()).isFalse();
    }
}
