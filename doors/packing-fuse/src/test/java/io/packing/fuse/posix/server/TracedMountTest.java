// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces of the kernel's calls to a mount. */
@Timeout(300)
class TracedMountTest {
    private static final int BYTES = 300_000;

    @TempDir
    private Path home;

    @BeforeEach
    void assumeFuse() {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
    }

    private static List<TraceEvent> events(Path file) throws IOException {
        List<TraceEvent> all = new ArrayList<>();
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            for (Optional<TraceEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                all.add(event.get());
            }
        }
        return all;
    }

    private static List<TraceEvent> of(List<TraceEvent> events, Call call, Path path) {
        return events.stream()
                .filter(event -> event.call() == call && event.path().equals(path.toString()))
                .toList();
    }

    private static long moved(List<TraceEvent> events) {
        return events.stream().mapToLong(TraceEvent::result).sum();
    }

    @Test
    void callsAreEventsWithTheirPathsRangesAndErrors() throws Exception {
        Path trace = home.resolve("trace");
        try (MountRig rig = MountRig.start(home)) {
            Path made;
            Path moved;
            Path missing;
            try (FuseMount mount = rig.mount("m", FilePath.ROOT, false, "-Dpacking.mount.trace=" + trace)) {
                made = mount.directory().resolve("a");
                moved = mount.directory().resolve("b");
                missing = mount.directory().resolve("missing");
                Files.write(made, new byte[BYTES]);
                Files.move(made, moved);
                assertThatThrownBy(() -> Files.size(missing)).isInstanceOf(NoSuchFileException.class);
            }
            List<TraceEvent> events = events(trace);
            List<TraceEvent> opened = of(events, Call.SYS_OPENAT, made);
            assertThat(opened).hasSize(1);
            assertThat(opened.get(0).hints()).contains("O_WRONLY|O_CREAT");
            List<TraceEvent> written = of(events, Call.SYS_PWRITE64, made);
            assertThat(moved(written)).isEqualTo(BYTES);
            assertThat(written.get(0).stream()).isEqualTo(opened.get(0).stream());
            assertThat(of(events, Call.SYS_RENAMEAT2, made).get(0).target()).isEqualTo(moved.toString());
            assertThat(of(events, Call.SYS_NEWFSTATAT, missing).get(0).error()).isEqualTo("ENOENT");
            // The kernel reports a close after the program has gone on, so the event may have the file's later name.
            assertThat(events).anyMatch(event -> event.call() == Call.SYS_CLOSE);
        }
    }

    @Test
    void readsOfAReadOnlyMountAreEventsUntilTheKernelHasTheBytes() throws Exception {
        Path first = home.resolve("first");
        try (MountRig rig = MountRig.start(home)) {
            try (FuseMount mount = rig.mount("w", false)) {
                Files.write(mount.directory().resolve("f"), new byte[BYTES]);
            }
            try (FuseMount mount = rig.mount("m", FilePath.ROOT, true, "-Dpacking.mount.trace=" + first)) {
                Path file = mount.directory().resolve("f");
                assertThat(Files.readAllBytes(file)).hasSize(BYTES);
                KilledServerTest.server(mount).destroyForcibly();
                assertThat(Files.readAllBytes(file)).hasSize(BYTES);
                assertThat(Files.exists(mount.directory().resolve("other"))).isFalse();
            }
            // The events that the killed server had not written yet are lost; the next one has a file of its own.
            List<TraceEvent> second = events(home.resolve("first.1"));
            assertThat(of(second, Call.SYS_PREAD64, home.resolve("m").resolve("f")))
                    .as("what the kernel has it does not ask for")
                    .isEmpty();
            assertThat(of(second, Call.SYS_NEWFSTATAT, home.resolve("m").resolve("other")))
                    .isNotEmpty();
        }
    }
}
