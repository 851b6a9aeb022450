// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test with real programs under strace: the recorded bytes equal the kernel's counts, or the bytes known by
 * construction.
 */
class CompletenessTest {
    @TempDir
    private Path temp;

    private Workload workload;
    private Path directory = Path.of("");

    @BeforeEach
    void needsStraceAndPython() throws IOException, InterruptedException {
        workload = Workload.in(temp);
        directory = workload.directory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "threads",
                "duplicates",
                "mapped",
                "sendfile",
                "copy_file_range",
                "vectors",
                "failures",
                "names",
                "appends",
                "placed",
                "direct"
            })
    void bytesAndCallsAreThoseThatTheKernelCounted(String name) throws IOException, InterruptedException {
        Workload.Run run = workload.record(name);
        assertThat(run.recorded()).isEqualTo(run.kernel());
        run.outcome().unseen().forEach((reason, count) -> assertThat(reason).isEqualTo(UnrecordedReason.MAPPED_WRITE));
        assertThat(run.outcome().unseen().isEmpty()).isEqualTo(!name.equals("mapped"));
    }

    @Test
    void operationsOfARingAreCountedAsUnseen() throws IOException, InterruptedException {
        Workload.Run run = workload.record("ring");
        assertThat(run.outcome().unseen()).containsEntry(UnrecordedReason.IO_URING, 4L);
        assertThat(run.events())
                .filteredOn(
                        event -> event.call() == Call.UNSEEN && event.hints().equals("reason=io_uring"))
                .singleElement()
                .satisfies(note -> assertThat(note.result()).isEqualTo(4));
        assertThat(run.recorded()).isEqualTo(run.kernel());
        assertThat(Files.size(directory.resolve("a"))).isEqualTo(3_000);
    }

    @Test
    void asynchronousRequestsAreRecorded() throws IOException, InterruptedException {
        Workload.Run run = workload.record("asynchronous");
        assertThat(run.bytes(directory + "/a", Call::writes)).isEqualTo(1_000);
        assertThat(run.bytes(directory + "/a", Call::reads)).isEqualTo(500);
        assertThat(Files.size(directory.resolve("a"))).isEqualTo(1_100);
        assertThat(run.outcome().unseen()).doesNotContainKey(UnrecordedReason.AIO);
    }

    @Test
    void theSameIsRecordedWhenEveryCallStops() throws IOException, InterruptedException {
        Workload.Run run = workload.record(false, "vectors");
        assertThat(run.recorded()).isEqualTo(run.kernel());
    }

    @Test
    void aProcessTreeIsRecordedWithSharedPositions() throws IOException, InterruptedException {
        Workload.Run run = workload.record("forks");
        String shared = directory + "/a";
        List<TraceEvent> writes = run.events().stream()
                .filter(event -> event.path().equals(shared) && event.call() == Call.SYS_WRITE)
                .toList();
        assertThat(writes).extracting(TraceEvent::offset).containsExactly(0L, 100L, 150L);
        assertThat(writes).extracting(TraceEvent::fileSize).containsExactly(100L, 150L, 175L);
        Set<Long> pids = new HashSet<>();
        writes.forEach(event -> pids.add(event.origin().pid()));
        assertThat(pids).hasSize(2);
        assertThat(run.bytes(directory + "/child", Call::writes)).isEqualTo(7_000);
        assertThat(run.bytes(directory + "/child", Call::reads)).isEqualTo(7_000);
        assertThat(run.bytes(directory + "/copy", Call::writes)).isEqualTo(7_000);
        assertThat(run.events())
                .filteredOn(event -> event.path().equals(directory + "/copy"))
                .extracting(event -> event.origin().process())
                .contains("cp");
        assertThat(run.outcome().unseen()).isEmpty();
    }

    @Test
    void everyRangeLiesInItsFileAndEverySizeIsTheFilesOwn() throws IOException, InterruptedException {
        Workload.Run run = workload.record("threads");
        for (TraceEvent event : run.events()) {
            if (event.path().startsWith(directory.toString()) && event.bytes() > 0) {
                assertThat(event.offset()).isNotNegative();
                assertThat(event.end()).isLessThanOrEqualTo(event.fileSize());
            }
        }
        Map<String, Long> last = new HashMap<>();
        run.events().stream()
                .filter(event -> event.call() == Call.SYS_CLOSE)
                .forEach(event -> last.put(event.path(), event.fileSize()));
        assertThat(last.get(directory + "/t7")).isEqualTo(10_007);
        assertThat(last.get(directory + "/shared")).isEqualTo(64_000);
    }

    @Test
    void namesOfAnyBytesAreRecorded() throws IOException, InterruptedException {
        Workload.Run run = workload.record("names");
        assertThat(run.bytes(directory + "/a\\x0ab\\xffé\\x5c", Call::writes)).isEqualTo(10);
        assertThat(run.bytes(directory + "/plain", Call::reads)).isEqualTo(10);
    }

    @Test
    void sizesFromBeforeTheRecordingAreKnown() throws IOException, InterruptedException {
        Files.write(directory.resolve("a"), new byte[5_000]);
        Workload.Run run = workload.record("duplicates");
        List<TraceEvent> writes = run.events().stream()
                .filter(event -> event.path().equals(directory + "/a") && event.call() == Call.SYS_WRITE)
                .toList();
        assertThat(writes).extracting(TraceEvent::offset).containsExactly(5_000L, 6_000L, 7_000L);
        assertThat(run.events())
                .filteredOn(
                        event -> event.call() == Call.SNAPSHOT && event.path().equals(directory + "/a"))
                .singleElement()
                .satisfies(note -> assertThat(note.fileSize()).isEqualTo(5_000));
    }
}
