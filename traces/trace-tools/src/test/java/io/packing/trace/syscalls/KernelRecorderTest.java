// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the recorder with programs in the kernel: the recorded bytes equal the kernel's counts, or the losses are counted. */
@Tag("process")
class KernelRecorderTest {
    private static final int PAGE = 4096;

    @TempDir
    private Path temp;

    private Workload workload;
    private Path directory = Path.of("");

    @BeforeAll
    static void needsRights() throws IOException {
        Optional<String> obstacle = KernelRecorder.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "run as root on a kernel with BPF and BTF: " + obstacle.orElse(""));
    }

    @BeforeEach
    void needsPython() throws IOException, InterruptedException {
        workload = Workload.in(temp);
        directory = workload.directory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "threads", "mapped", "sendfile", "copy_file_range", "vectors", "failures", "placed"})
    void bytesAndCallsAreThoseThatTheKernelCounted(String name) throws IOException, InterruptedException {
        Workload.Run run = workload.recordInKernel(name);
        assertThat(run.recorded()).isEqualTo(run.kernel());
        assertThat(run.outcome().unseen().keySet()).isSubsetOf(UnrecordedReason.MAPPED_WRITE);
        assertThat(run.outcome().irregular()).isEmpty();
        assertThat(run.events())
                .filteredOn(event -> event.call() == Call.PROCESSOR)
                .singleElement()
                .satisfies(note -> assertThat(note.result()).isPositive());
    }

    @Test
    void aProcessTreeIsRecordedWithSharedPositions() throws IOException, InterruptedException {
        Workload.Run run = workload.recordInKernel("forks");
        List<TraceEvent> writes = run.events().stream()
                .filter(event -> event.path().equals(directory + "/a") && event.call() == Call.SYS_WRITE)
                .toList();
        assertThat(writes).extracting(TraceEvent::offset).containsExactly(0L, 100L, 150L);
        assertThat(writes).extracting(TraceEvent::fileSize).containsExactly(100L, 150L, 175L);
        Set<Long> pids = new HashSet<>();
        writes.forEach(event -> pids.add(event.origin().pid()));
        assertThat(pids).hasSize(2);
        assertThat(run.bytes(directory + "/copy", Call::writes)).isEqualTo(7_000);
        assertThat(run.events())
                .filteredOn(event -> event.path().equals(directory + "/copy"))
                .extracting(event -> event.origin().process())
                .contains("cp");
        assertThat(run.outcome().unseen()).isEmpty();
    }

    @Test
    void aMappingCountsThePagesThatFaultsBringIn() throws IOException, InterruptedException {
        Path file = directory.resolve("large");
        Files.write(file, new byte[4_000_000]);
        Workload.Run run = workload.recordInKernel("command", "/usr/bin/env", "python3", "-c", """
                import mmap, os
                m = mmap.mmap(os.open("large", os.O_RDONLY), 0, prot=mmap.PROT_READ)
                print(m[0], m[2_000_000], m[2_000_001], m[3_999_999])
                """);
        List<TraceEvent> paged = run.events().stream()
                .filter(event -> event.call() == Call.PAGED && event.path().equals(file.toString()))
                .toList();
        for (long touched : List.of(0L, 2_000_000L, 3_999_999L)) {
            assertThat(paged).anyMatch(event -> event.offset() <= touched && touched < event.offset() + event.length());
        }
        long bytes = paged.stream().mapToLong(TraceEvent::result).sum();
        assertThat(bytes).isBetween(2L * PAGE, 1_000_000L);
        assertThat(paged).allMatch(event -> event.offset() + event.length() <= 4_000_000);
    }

    @Test
    void timesAreThoseOfTheRun() throws IOException, InterruptedException {
        Instant before = Instant.now();
        Workload.Run run = workload.recordInKernel("placed");
        Instant after = Instant.now();
        // The clock that stamps files lags behind others.
        assertThat(run.events())
                .allSatisfy(event -> assertThat(Instant.EPOCH.plusNanos(event.wallNanos()))
                        .isBetween(before.minusSeconds(1), after.plusSeconds(1)));
    }

    @Test
    void recordsThatFindNoRoomAreCounted() throws IOException, InterruptedException {
        Workload.Run run = workload.record(
                true,
                (request, out) -> KernelRecorder.record(
                        request, command -> new ProcessBuilder(command).inheritIO(), out, 2 * PAGE),
                "threads");
        long lost = run.outcome().unseen().getOrDefault(UnrecordedReason.LOST_RECORD, 0L);
        assertThat(lost).isPositive();
        assertThat(run.events())
                .filteredOn(event -> event.hints().equals("reason=lost-record"))
                .singleElement()
                .satisfies(note -> assertThat(note.result()).isEqualTo(lost));
    }

    @Test
    void stacksAreRefused() {
        StraceRecorder.Request request =
                new StraceRecorder.Request(List.of("true"), "t", "host", List.of(), true, true);
        assertThatThrownBy(() -> KernelRecorder.record(
                        request, command -> new ProcessBuilder(command).inheritIO(), workload.writer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stacks");
    }

    @Test
    void namesOfAnyBytesAreRecorded() throws IOException, InterruptedException {
        Workload.Run run = workload.recordInKernel("names");
        assertThat(run.bytes(directory + "/a\\x0ab\\xffé\\x5c", Call::writes)).isEqualTo(10);
        assertThat(run.bytes(directory + "/plain", Call::reads)).isEqualTo(10);
    }
}
