// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushCommandTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private BdtMaster master;
    private String address;
    private Map<String, String> options;

    @BeforeEach
    void startMaster() throws IOException {
        Path store = Files.createDirectory(directory.resolve("store"));
        options = Map.of(
                "packing.store", store.toUri().toString(), "packing.seal.after", "1h", "packing.seal.quiet", "0s");
        serve();
    }

    private void serve() throws IOException {
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        directory.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        options.get("packing.store"))))
                .serve();
        address = "127.0.0.1:" + master.port();
    }

    @AfterEach
    void stopMaster() {
        master.close();
    }

    @Test
    void whatALiveWorkerBuffersIsInTheStoreAfterwards() throws Exception {
        try (GrpcBdts bdts = GrpcBdts.connect(address, TIMEOUT);
                PackingWorker worker = worker(bdts)) {
            PackingFileSystem mount = worker.open(MountOptions.from(options));
            try (PackingOutput out =
                    mount.create(new FilePath("/a/b"), new CreateOptions("hdfs", "hadoop", 0644, true, true))) {
                out.write(new byte[100]);
            }
            CommandRun run = flush();
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
            JsonNode json = new ObjectMapper().readTree(run.out());
            assertThat(json.get("workers").asInt()).isEqualTo(1);
            assertThat(json.get("buffered_files").asInt()).isZero();
            assertThat(json.get("gone")).isEmpty();
            CommandRun located = bdt("locate", "/a/b");
            assertThat(located.out()).contains("/a/b: packed");
        }
    }

    @Test
    void aWorkerThatIsGoneAndHoldsFilesIsNamedAndExitCodeSix() throws Exception {
        claimAndLeave("w-gone", "/a/lost", "/c");
        // A new master knows no lease of it any more; waiting for its end would come to the same.
        master.close();
        serve();
        CommandRun run =
                CommandRun.of("flush", "--wait", "0s", "--master", address, "--option", "packing.store=" + store());
        assertThat(run.exitCode()).isEqualTo(ExitCodes.NOT_FLUSHED);
        assertThat(run.out()).contains("worker w-gone is gone and holds 2 files");
        JsonNode json = new ObjectMapper().readTree(flush("--wait", "0s").out());
        assertThat(json.at("/gone/w-gone").asInt()).isEqualTo(2);
    }

    @Test
    void aWorkerThatComesBackAMomentAfterARestartOfTheMasterIsFlushed() throws Exception {
        bufferAndStop();
        serve();
        flushWhileTheWorkerComesBack();
    }

    /** The new table comes from the store, and has no row of what is buffered. */
    @Test
    void aWorkerThatComesBackAMomentAfterTheLossOfTheMastersDiskIsFlushed() throws Exception {
        bufferAndStop();
        Files.move(directory.resolve("bdt"), directory.resolve("lost"));
        serve();
        flushWhileTheWorkerComesBack();
        assertThat(bdt("locate", "/a").out()).contains("/a: packed");
    }

    private void bufferAndStop() throws IOException {
        try (GrpcBdts bdts = GrpcBdts.connect(address, TIMEOUT);
                PackingWorker worker = worker(bdts)) {
            PackingFileSystem mount = worker.open(MountOptions.from(options));
            try (PackingOutput out =
                    mount.create(new FilePath("/a"), new CreateOptions("hdfs", "hadoop", 0644, true, true))) {
                out.write(new byte[100]);
            }
        }
        master.close();
    }

    private void flushWhileTheWorkerComesBack() throws Exception {
        CompletableFuture<CommandRun> flushing = CompletableFuture.supplyAsync(() -> flush("--wait", "60s"));
        try (GrpcBdts bdts = GrpcBdts.connect(address, TIMEOUT);
                PackingWorker worker = worker(bdts)) {
            PackingFileSystem unused = worker.open(MountOptions.from(options));
            CommandRun run = flushing.get();
            assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
            JsonNode json = new ObjectMapper().readTree(run.out());
            assertThat(json.get("workers").asInt()).isEqualTo(1);
            assertThat(json.get("buffered_files").asInt()).isZero();
        }
    }

    private PackingWorker worker(GrpcBdts bdts) throws IOException {
        return PackingWorker.start(
                new WorkerOptions("w1", directory.resolve("buffer"), "127.0.0.1", 0),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    @Test
    void aWorkerWhoseLeaseLastsButThatDoesNotAnswerIsExitCodeThree() throws Exception {
        claimAndLeave("w-silent", "/a");
        assertThat(flush().exitCode()).isEqualTo(ExitCodes.UNAVAILABLE);
    }

    @Test
    void theMeaningOfExitCodeSixIsDocumented() {
        assertThat(CommandRun.of("flush", "--help").out()).contains("not flushed");
    }

    private void claimAndLeave(String worker, String... files) throws Exception {
        try (Bdt table = master.open(options);
                WorkerSession session = table.register(new WorkerRegistration(worker, "127.0.0.1:1"))) {
            for (String file : files) {
                FileAttributes attributes = new FileAttributes(5, 0, "o", "g", 0644);
                assertThat(session.claim(new Claim(session.newFileId(), new FilePath(file), attributes, true, true))
                                .get())
                        .isInstanceOf(ClaimResult.Granted.class);
            }
        }
    }

    private String store() {
        return Objects.requireNonNull(options.get("packing.store"));
    }

    private CommandRun flush(String... more) {
        List<String> words = new ArrayList<>(List.of("flush", "--json"));
        // No worker has told a new master where the store is.
        words.addAll(List.of("--option", "packing.store=" + store()));
        words.addAll(List.of(more));
        return CommandRun.of(Map.of(Contexts.MOUNT_VARIABLE, "packing://" + address), words.toArray(String[]::new));
    }

    private CommandRun bdt(String question, String path) {
        return CommandRun.of("bdt", question, "--master", address, "--option", "packing.store=" + store(), path);
    }
}
