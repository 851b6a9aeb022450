// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMountsTest {
    @TempDir
    Path work;

    /** Engines that remember the started mounts. */
    private static class FakeEngines implements Engines {
        final List<String> started = new CopyOnWriteArrayList<>();
        final List<InMemoryFiles> files = new CopyOnWriteArrayList<>();
        boolean unreachable;

        @Override
        public PackingFileSystem embedded(UfsOptions settings, String worker, String host, Path buffer)
                throws IOException {
            if (unreachable) {
                throw new IOException("store unreachable");
            }
            Files.createDirectories(buffer);
            return start(worker);
        }

        @Override
        public PackingFileSystem remote(UfsOptions settings, String host) {
            return start("remote " + host);
        }

        private PackingFileSystem start(String what) {
            started.add(what);
            InMemoryFiles one = new InMemoryFiles();
            files.add(one);
            return one;
        }
    }

    private final FakeEngines engines = new FakeEngines();
    private final ProcessMounts mounts = new ProcessMounts(engines, Runnable::run);

    @Test
    void oneMountHasOneWorkerHoweverOftenItIsAskedFor() throws IOException {
        PackingFileSystem first = mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        assertThat(mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of())))
                .isSameAs(first);
        assertThat(engines.started).containsExactly("node-1-29999");
    }

    @Test
    void otherProcessesStartNoWorker() throws IOException {
        mounts.connect(AlluxioRole.MASTER, "m", settings(Map.of()));
        mounts.connect(AlluxioRole.JOB_WORKER, "node-1", settings(Map.of()));
        mounts.connect(AlluxioRole.CLIENT, "", settings(Map.of()));
        assertThat(engines.started).containsExactly("remote m", "remote node-1", "remote ");
        assertThat(work.resolve("packing")).doesNotExist();
    }

    @Test
    void aRemountWithOtherOptionsIsAWorkerOfItsOwn() throws IOException {
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of("packing.policy", "fifo")));
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of("packing.policy", "directory")));
        assertThat(engines.started).containsExactly("node-1-29999", "node-1-29999-1");
    }

    @Test
    void aSecondClassLoaderOfTheSameProcessDoesNotCollide() throws IOException {
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        new ProcessMounts(engines, Runnable::run).connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        assertThat(engines.started).containsExactly("node-1-29999", "node-1-29999-1");
    }

    @Test
    void mountsOfDifferentStoresHaveBuffersOfTheirOwn() {
        Path a = ProcessMounts.mountDirectory("h", settings(Map.of("packing.store", "s3://a/x")));
        Path b = ProcessMounts.mountDirectory("h", settings(Map.of("packing.store", "s3://b/x")));
        Path c = ProcessMounts.mountDirectory(
                "h", settings(Map.of("packing.store", "s3://a/x", "packing.policy", "fifo")));
        assertThat(a).isNotEqualTo(b).isEqualTo(c);
        assertThat(a).startsWithRaw(work.resolve("packing").resolve("h-29999"));
        assertThat(ProcessMounts.mountDirectory("h", settings(Map.of("packing.buffer.dir", "/data"))))
                .startsWithRaw(Path.of("/data/h-29999"));
    }

    @Test
    void whatAnEarlierProcessLeftInOtherSlotsIsDrainedAndForgotten() throws IOException {
        Path directory = ProcessMounts.mountDirectory("node-1", settings(Map.of()));
        Path leftover = Files.createDirectories(directory.resolve("1/buffer/segments"));
        Files.writeString(leftover.resolve("s1"), "bytes");
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        assertThat(engines.started).containsExactly("node-1-29999", "node-1-29999-1");
        assertThat(engines.files.get(1).flushed).isTrue();
        assertThat(engines.files.get(1).closed).isTrue();
        try (BufferSlot free = BufferSlot.take(directory)) {
            assertThat(free.number()).isEqualTo(1);
            assertThat(free.buffer()).doesNotExist();
        }
    }

    @Test
    void aFailedStartHoldsNothingAndIsTriedAgain() throws IOException {
        engines.unreachable = true;
        assertThatThrownBy(() -> mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of())))
                .hasMessage("store unreachable");
        engines.unreachable = false;
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        assertThat(engines.started).containsExactly("node-1-29999");
    }

    @Test
    void theEndOfTheProcessStopsEveryMount() throws IOException {
        mounts.connect(AlluxioRole.WORKER, "node-1", settings(Map.of()));
        mounts.connect(AlluxioRole.MASTER, "m", settings(Map.of()));
        mounts.stop();
        assertThat(engines.files).allMatch(files -> files.closed);
    }

    @Test
    void aWorkerIdIsLegalWhateverTheHostIsCalled() {
        assertThat(ProcessMounts.workerId("::1", settings(Map.of()), 0)).isEqualTo("__1-29999");
        assertThat(ProcessMounts.workerId("h".repeat(300), settings(Map.of()), 2))
                .hasSize(128)
                .endsWith("h-29999-2");
    }

    private UfsOptions settings(Map<String, String> options) {
        Map<String, String> all = new HashMap<>(Map.of("packing.store", "s3://bucket/prefix"));
        all.putAll(options);
        return new UfsOptions("master:7000", all, 29999, work);
    }
}
