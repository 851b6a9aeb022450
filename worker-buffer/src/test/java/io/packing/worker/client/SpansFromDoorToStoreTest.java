// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One trace goes through client, worker, master and store. */
@Timeout(120)
class SpansFromDoorToStoreTest {
    private static final FilePath FILE = new FilePath("/secret/file");
    private static final String OF_THE_MASTER = "bdt-master:(recovery|journal|backup)";

    @TempDir
    private Path temp;

    private Map<String, String> mountOptions(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("packing.store", temp.resolve("store").toUri().toString());
        options.put("packing.threads", "1");
        options.put("packing.durability", "uploaded");
        return options;
    }

    private BdtMaster master(Map<String, String> more) throws IOException {
        Files.createDirectories(temp.resolve("store"));
        Map<String, String> options = new HashMap<>(more);
        options.put("bdt.data.dir", temp.resolve("master").toString());
        options.put("bdt.port", "0");
        options.put("bdt.stores", "file://" + temp);
        return BdtMaster.start(BdtMasterOptions.from(options)).serve();
    }

    /**
     * Writes a file with one client, and reads it with another one, each with these options; then all processes end.
     */
    private void writeAndRead(Map<String, String> more, Map<String, String> ofMaster) throws IOException {
        MountOptions options = MountOptions.from(mountOptions(more));
        try (BdtMaster master = master(ofMaster);
                GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(10));
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w", temp.resolve("w"), "127.0.0.1", 0),
                        bdts,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem served = worker.open(options)) {
            try (PackingFileSystem client = client(bdts, options);
                    PackingOutput out = client.create(FILE, new CreateOptions("o", "g", 0644, true, false))) {
                out.write(new byte[10_000]);
            }
            served.flush();
            try (PackingFileSystem client = client(bdts, options);
                    PackingInput in = client.open(FILE)) {
                ByteBuffer bytes = ByteBuffer.allocate(10_000);
                assertThat(in.read(0, bytes)).isEqualTo(10_000);
            }
            // The rename needs a journal, which goes to the store before the last backup.
            assertThat(served.bdt().rename(FILE, new FilePath("/secret/renamed")))
                    .isEqualTo(Outcome.DONE);
        }
    }

    private static RemotePackingFileSystem client(GrpcBdts bdts, MountOptions options) throws IOException {
        return RemotePackingFileSystem.open(
                bdts, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1"));
    }

    @Test
    void aWriteAndAColdReadAreATraceEach() throws Exception {
        try (SpanCollector collector = SpanCollector.start()) {
            writeAndRead(
                    Map.of("packing.spans.otlp", collector.address(), "packing.spans.sample", "1"),
                    Map.of("bdt.spans.otlp", collector.address()));
            String put = "packing-client:create > packing-client:close > packing-client:put";
            String pack = "packing-worker:pack";
            String open = "packing-client:open";
            List<String> paths = collector.paths();
            assertThat(paths)
                    .contains(
                            "packing-client:create",
                            put,
                            put + " > packing-worker:put",
                            put + " > packing-worker:put > packing-worker:claim",
                            put + " > packing-worker:put > packing-worker:claim > bdt-master:claim")
                    .contains(pack, pack + " > packing-worker:seal")
                    .contains(pack + " > packing-worker:push > packing-worker:store put")
                    .contains(pack + " > packing-worker:heartbeat > bdt-master:heartbeat")
                    .contains(open + " > packing-client:locate > bdt-master:locate")
                    .contains(open + " > packing-client:read > packing-client:store get");
            String backup = "bdt-master:backup";
            assertThat(paths)
                    .contains(backup, backup + " > bdt-master:store put")
                    .contains(backup + " > bdt-master:journal > bdt-master:store put");
            // Every span begins at a door, with a blob, or with the master's own work.
            assertThat(paths)
                    .allMatch(path -> path.matches(
                            "(packing-client:(create|open)|packing-worker:(pack|flush)|" + OF_THE_MASTER + ")\\b.*"));
            assertThat(collector.linked(pack)).containsExactly("packing-worker:put");
            assertThat(collector.attributes()).noneMatch(each -> each.contains("secret"));
        }
    }

    @Test
    void filesThatTravelTogetherAreATraceEach() throws Exception {
        try (SpanCollector collector = SpanCollector.start()) {
            MountOptions options = MountOptions.from(
                    mountOptions(Map.of("packing.spans.otlp", collector.address(), "packing.spans.sample", "1")));
            try (BdtMaster master = master(Map.of());
                    GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(10));
                    PackingWorker worker = PackingWorker.start(
                            new WorkerOptions("w", temp.resolve("w"), "127.0.0.1", 0),
                            bdts,
                            ObjectStores::open,
                            Clock.systemUTC(),
                            new SimpleMeterRegistry());
                    PackingFileSystem served = worker.open(options);
                    RemotePackingFileSystem client = client(bdts, options)) {
                CreateOptions create = new CreateOptions("o", "g", 0644, true, false);
                List<NewFile> files = List.of(
                        new NewFile(FILE, ByteBuffer.wrap(new byte[10]), create),
                        new NewFile(new FilePath("/secret/other"), ByteBuffer.wrap(new byte[20]), create));
                for (CompletableFuture<FileVersion> each : client.putAll(files)) {
                    assertThat(each.join().id()).isPositive();
                }
                served.flush();
            }
            String put = "packing-client:create > packing-client:close > packing-client:put";
            assertThat(collector.paths().stream().filter(put::equals)).hasSize(2);
            assertThat(collector.paths()).contains(put + " > packing-worker:put > packing-worker:claim");
        }
    }

    @Test
    void pathsAreToldWhenSomebodyWantsThem() throws Exception {
        try (SpanCollector collector = SpanCollector.start()) {
            writeAndRead(
                    Map.of(
                            "packing.spans.otlp",
                            collector.address(),
                            "packing.spans.sample",
                            "1",
                            "packing.spans.paths",
                            "true"),
                    Map.of());
            assertThat(collector.attributes()).contains("packing.path=" + FILE.value());
        }
    }

    @Test
    void withoutACollectorNothingIsSentAndNobodyWaitsToSend() throws Exception {
        try (SpanCollector collector = SpanCollector.start()) {
            writeAndRead(Map.of("packing.spans.sample", "1"), Map.of());
            assertThat(collector.requests()).isZero();
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("packing-spans");
        }
    }

    @Test
    void callsThatAreNotSampledAreSeenNowhere() throws Exception {
        try (SpanCollector collector = SpanCollector.start()) {
            writeAndRead(
                    Map.of("packing.spans.otlp", collector.address(), "packing.spans.sample", "0"),
                    Map.of("bdt.spans.otlp", collector.address()));
            // The cost of a blob or a backup belongs to no call.
            assertThat(collector.paths())
                    .allMatch(path -> path.matches("(packing-worker:pack|" + OF_THE_MASTER + ")\\b.*"));
        }
    }
}
