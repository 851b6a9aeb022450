// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.sim.ListSource;
import io.packing.sim.RunResult;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A test with cases computed by hand: a PUT and a GET take 100 ms, a connection carries 10 MB a second, no draw is
 * random.
 */
class PackSimulationTest {
    private static final String BASE = """
            store.prices {
              put.per.1000 = 0.005, list.per.1000 = 0.005, get.per.1000 = 0.0004, head.per.1000 = 0.0004
              gb.bytes = 1000000000, storage.per.gb.month = 0.023, upload.per.gb = 0, puts.per.second = 3500
            }
            store { put-latency = 100ms, get-latency = 100ms, latency-spread = 0, connection = 10 MB }
            workers { count = 1, rate = 1000, link = 10 MB, disk = 1000 GB }
            ingest { clients = 1, files-per-client = 10, file-size = 1 kB, file-time = 1s }
            packing.read-cache = 1 GiB
            """;

    private static RunResult run(String changes) throws IOException {
        return run(changes, List.of());
    }

    private static RunResult run(String changes, List<TraceEvent> events) throws IOException {
        Config config = ConfigFactory.parseString(changes)
                .withFallback(ConfigFactory.parseString(BASE))
                .resolve();
        return new PackSimulation(config).run(List.of(new ListSource(events)), done -> {});
    }

    @Test
    void directFilesCostOnePutEachAndItsLatency() throws IOException {
        RunResult result = run("mode = direct");
        assertThat(result.metric("puts")).isEqualTo(10);
        assertThat(result.metric("seconds")).isCloseTo(10 * (1 + 0.1 + 0.0001), within(1e-6));
        assertThat(result.metric("request-dollars")).isCloseTo(10 * 0.005 / 1000, within(1e-12));
        assertThat(result.metric("write-amplification")).isEqualTo(1);
    }

    @Test
    void aBlobIsSealedWhenItsFirstFileIsOldEnough() throws IOException {
        // A client closes a file each 1.001 s: 5 s after the first close five files wait; the other five follow them.
        RunResult result = run("packing.seal-after = 5s");
        assertThat(result.metric("blobs")).isEqualTo(2);
        assertThat(result.metric("puts")).as("with the last backup").isEqualTo(3);
        assertThat(result.metric("sealed-by-age")).isEqualTo(2);
        assertThat(result.metric("exposed-s-max")).isCloseTo(5.1, within(0.01));
    }

    @Test
    void aBlobIsSealedWhenItIsFull() throws IOException {
        RunResult result = run("packing { seal-after = 1h, blob = 4100 B }");
        // Four files with their share of header and footer fill a blob; the last two wait until no file came for 5 s.
        assertThat(result.metric("sealed-by-size")).isEqualTo(2);
        assertThat(result.metric("sealed-by-age")).isEqualTo(1);
        assertThat(result.metric("exposed-s-max")).isCloseTo(6.1, within(0.01));
    }

    @Test
    void aBlobThatIsSentWhileItFillsIsDurableSoonerWithAsManyPuts() throws IOException {
        String slow = "packing { seal-after = 1h, blob = 4100 B, push-ahead = %s }, workers.link = 20 kB,"
                + " store.connection = 20 kB";
        RunResult whole = run(slow.formatted("0s"));
        RunResult ahead = run(slow.formatted("1m"));
        assertThat(ahead.metric("puts")).isEqualTo(whole.metric("puts"));
        // Two of three blobs fill, with four of ten files each; 4 KB take 0.2 s.
        assertThat(whole.metric("exposed-s") - ahead.metric("exposed-s")).isBetween(0.05, 0.2);
        assertThat(run(slow.formatted("1ms")).metric("exposed-s")).isEqualTo(whole.metric("exposed-s"));
    }

    @Test
    void withoutASealForPausesWhatIsLeftWaitsUntilItIsOld() throws IOException {
        RunResult result = run("packing { seal-after = 1h, seal-quiet = 0s, blob = 4100 B }");
        assertThat(result.metric("sealed-by-age")).isEqualTo(1);
        assertThat(result.metric("exposed-s-max")).isCloseTo(3600.1, within(0.1));
    }

    @Test
    void theSizeOfABlobIsThatOfTheRealOne() throws IOException {
        RunResult result = run("packing.seal-after = 1h");
        BlobLayout layout = BlobLayout.measure(1000);
        assertThat(result.metric("blobs")).isEqualTo(1);
        assertThat(result.metric("blob-mib") * (1 << 20))
                .isCloseTo(10 * layout.stored(1000) + layout.fixed(), within(1.0));
    }

    @Test
    void requestsAboveTheLimitAreRefusedAndRepeatedUntilTheyAreAnswered() throws IOException {
        // A hundred clients at once, 20 a second admitted: the store sets the pace.
        RunResult result = run("mode = direct, ingest { clients = 100, file-time = 0ms }, store.puts-per-second = 20");
        assertThat(result.metric("puts")).isEqualTo(1000);
        assertThat(result.metric("throttled")).isPositive();
        assertThat(result.metric("seconds")).as("no faster than the limit").isGreaterThan(1000 / 20.0 - 1.5);
        assertThat(result.metric("retry-dollars")).isCloseTo(result.metric("throttled") * 0.005 / 1000, within(1e-12));
    }

    @Test
    void creatorsWaitForRoomInAFullBuffer() throws IOException {
        RunResult result =
                run("ingest.file-time = 0ms, packing { buffer = 3000 B, spill = 1500 B, blob = 1 B, pushes = 1 }");
        assertThat(result.metric("waits-for-room")).isPositive();
        assertThat(result.metric("buffered-mib-max") * (1 << 20)).isCloseTo(3000, within(1e-6));
        assertThat(result.metric("blobs")).isEqualTo(10);
    }

    @Test
    void readingInOrderFetchesABlobInWindows() throws IOException {
        RunResult result = run("packing.seal-after = 1h, ingest.read-back = sequential");
        // One blob of some 11 kB: the first read fetches its only page.
        assertThat(result.metric("reads")).isEqualTo(10);
        assertThat(result.metric("gets")).isEqualTo(1);
        assertThat(result.metric("gets-per-read")).isEqualTo(0.1);
        assertThat(run("mode = direct, ingest.read-back = sequential").metric("gets"))
                .isEqualTo(10);
    }

    @Test
    void otherPoliciesThanArrivalOrderCopy() throws IOException {
        assertThat(run("packing.policy = fifo").metric("local-amplification")).isBetween(1.0, 1.2);
        assertThat(run("packing.policy = directory").metric("local-amplification"))
                .isBetween(2.0, 2.3);
        assertThat(run("packing.policy = size").metric("local-amplification")).isBetween(2.0, 2.3);
    }

    @Test
    void theSameConfigurationGivesTheSameNumbers() throws IOException {
        String busy =
                "ingest { clients = 20, file-time = 1ms }, store { puts-per-second = 5, latency-spread = 1 }, mode = direct";
        assertThat(run(busy)).isEqualTo(run(busy));
        assertThat(run(busy + ", run.seed = 2")).isNotEqualTo(run(busy));
    }

    @Test
    void aTraceIsReplayed() throws IOException {
        RunResult result = run(
                "workload = trace, packing.seal-after = 5s",
                List.of(
                        io(0, Call.WRITE, "/a/1", 0, 700),
                        io(0, Call.WRITE, "/a/1", 700, 300),
                        on(1, Call.CLOSE_OUTPUT, "/a/1", ""),
                        io(2, Call.PREAD, "/a/1", 0, 1000),
                        on(3, Call.RENAME, "/a", "/b"),
                        io(60, Call.PREAD, "/b/1", 100, 50),
                        io(61, Call.PREAD, "/b/1", 100, 50),
                        io(62, Call.PREAD, "/old", 0, 10),
                        on(63, Call.DELETE, "/b", ""),
                        on(64, Call.UNKNOWN, "", ""),
                        io(65, Call.WRITE, "/open", 0, 5)));
        assertThat(result.metric("files")).isEqualTo(1);
        assertThat(result.metric("bytes-mib") * (1 << 20)).isCloseTo(1000, within(1e-6));
        assertThat(result.metric("blobs")).isEqualTo(1);
        assertThat(result.metric("reads")).isEqualTo(4);
        assertThat(result.metric("gets"))
                .as("one from the blob, one of a file that is older than the trace")
                .isEqualTo(2);
        assertThat(result.metric("reads-of-others")).isEqualTo(1);
        assertThat(result.metric("dead-mib") * (1 << 20)).isCloseTo(1000, within(1e-6));
        assertThat(result.metric("unknown-calls")).isEqualTo(1);
        assertThat(result.metric("unclosed-files")).isEqualTo(1);
    }

    @Test
    void whatIsDeletedBeforeTheSealIsNeverPushed() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (String name : List.of("/a", "/b")) {
            events.add(io(0, Call.WRITE, name, 0, 100));
            events.add(on(1, Call.CLOSE_OUTPUT, name, ""));
        }
        events.add(on(2, Call.DELETE, "/a", ""));
        RunResult result = run("workload = trace", events);
        assertThat(result.metric("never-pushed")).isEqualTo(1);
        assertThat(result.metric("blobs")).isEqualTo(1);
        assertThat(result.metric("dead-mib")).isZero();
    }

    @Test
    void anEmptyTraceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("workload = trace"))
                .withMessageContaining("the trace is empty");
    }

    @Test
    void whatIsMisspeltOrImpossibleIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("packing.seal-aftr = 5s"))
                .withMessageContaining(
                        "no parameter 'stack.packing.seal-aftr'; the nearest are 'stack.packing.seal-after'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("packing.policy = lifo"))
                .withMessageContaining("packing.policy: no 'lifo'; one of [fifo, directory, size]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("store.puts-per-second = 0"))
                .withMessageContaining("store.puts-per-second");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("ingest { clients = 100000, files-per-client = 100000 }"))
                .withMessageContaining("10,000,000,000 files do not fit into memory")
                .withMessageContaining("packing estimate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PackSimulation(ConfigFactory.empty()))
                .withMessageContaining("store.prices: missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("store.prices.put.per.100 = 1"))
                .withMessageContaining("store.prices: unknown keys [put.per.100]");
    }

    private static final TraceOrigin ORIGIN = origin();

    private static TraceOrigin origin() {
        return new TraceEventBuilder(Call.WRITE).build().origin();
    }

    private static TraceEvent io(long second, Call call, String path, long offset, long bytes) {
        return event(second, call, path, "", offset, bytes, bytes);
    }

    private static TraceEvent on(long second, Call call, String path, String target) {
        return event(second, call, path, target, TraceEvent.NONE, TraceEvent.NONE, 1);
    }

    private static TraceEvent event(
            long second, Call call, String path, String target, long offset, long length, long result) {
        long at = second * 1_000_000_000L;
        return new TraceEvent(
                ORIGIN,
                at,
                at,
                0,
                at,
                call,
                1,
                "t",
                "u",
                "",
                1,
                1,
                path,
                target,
                offset,
                length,
                result,
                "",
                "",
                TraceEvent.NONE,
                TraceEvent.NONE);
    }
}
