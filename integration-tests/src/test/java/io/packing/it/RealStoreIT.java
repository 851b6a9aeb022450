// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.operations.copy.CopyResult;
import io.packing.operations.copy.CopySpec;
import io.packing.operations.copy.TreeCopy;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import io.packing.storeservers.ToxicWire;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of a master, a worker and clients of the Hadoop door on other projects' S3 servers, over a network that
 * breaks. The server is killed during writes, and then the master loses its disk.
 */
@Timeout(600)
@Tag("process")
class RealStoreIT {
    private static final int FILES = 400;
    private static final int LARGE = 9 << 20;
    private static final int HARMED_PERCENT = 50;
    private static final int HEAP_MB = 256;

    private static final Map<String, String> OPTIONS_OF_KEYS =
            Map.of("PACKING_S3_ACCESS_KEY", "packing.s3.access.key", "PACKING_S3_SECRET_KEY", "packing.s3.secret.key");

    @TempDir
    private Path home;

    private final Map<String, String> options = new HashMap<>(Map.of(
            "packing.s3.retry.timeout",
            "2m",
            "packing.s3.put.single.max",
            "5MB",
            "packing.blob.max.bytes",
            "1MB",
            "packing.seal.after",
            "1s"));

    private Map<String, String> tree(Path top) throws IOException {
        Random random = new Random(Seed.value());
        for (int i = 0; i < FILES; i++) {
            write(top.resolve("d%d/f%d".formatted(i % 9, i)), random, 1 + random.nextInt(16_000));
        }
        write(top.resolve("large"), random, LARGE);
        return content(top);
    }

    private static void write(Path file, Random random, int length) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_000L + length));
    }

    private static Map<String, String> content(Path top) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(top)) {
            for (Path path : walk.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(path);
                all.put(top.relativize(path).toString(), bytes.length + " " + Arrays.hashCode(bytes));
            }
        }
        return all;
    }

    private CopyResult copy(String from, String to, CountDownLatch begun) throws IOException, InterruptedException {
        CopySpec spec = new CopySpec(
                CopySpec.place(from), CopySpec.place(to), 8, false, false, options, Map.of(), Map.of(), List.of());
        TreeCopy.Progress progress = new TreeCopy.Progress() {
            @Override
            public void found(long files) {}

            @Override
            public void done() {
                begun.countDown();
            }
        };
        CopyResult result = TreeCopy.run(spec, failure -> false, progress, System::nanoTime);
        assertThat(result.refused()).isEmpty();
        return result;
    }

    private BdtMaster master(ToxicWire wire, String name) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve(name).toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "%s@%s".formatted(options.get("packing.store"), wire.endpoint()))))
                .serve();
    }

    private PackingWorker worker(BdtMaster master, String name) throws IOException {
        return PackingWorker.start(
                new WorkerOptions(name, home.resolve(name), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    private static String uri(BdtMaster master) {
        return "packing://127.0.0.1:%d/tree".formatted(master.port());
    }

    /** Runs fsck, which throws if the mount is damaged. */
    private void fsck(ServerKind kind, BdtMaster master) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("fsck", "--verify", "--json", "--master", "127.0.0.1:" + master.port()));
        options.forEach((key, value) -> {
            if (!key.endsWith(".key")) {
                words.addAll(List.of("--option", key + "=" + value));
            }
        });
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
        JavaProcess.run(
                new JavaCommand("fsck", "io.packing.cli.Main", classPath, HEAP_MB, Map.of(), words, kind.keys()),
                Files.createDirectories(home.resolve("logs")),
                line -> {});
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MOTO")
    void filesOutliveAStoreThatIsKilledANetworkThatBreaksAndTheMastersDisk(ServerKind kind) throws Exception {
        assumeTrue(kind.find().isPresent(), kind.howToInstall());
        Map<String, String> tree = tree(home.resolve("tree"));
        try (StoreServer server = StoreServer.start(kind, home.resolve("server"));
                ToxicWire wire = new ToxicWire(server.endpoint(), 0, Seed.value())) {
            options.put("packing.store", kind.location("mount"));
            options.put("packing.s3.endpoint", wire.endpoint().toString());
            kind.keys().forEach((variable, key) -> options.put(OPTIONS_OF_KEYS.get(variable), key));
            try (BdtMaster master = master(wire, "bdt");
                    PackingWorker worker = worker(master, "w1");
                    PackingFileSystem mount = worker.open(MountOptions.from(options))) {
                wire.harm(HARMED_PERCENT);
                CountDownLatch begun = new CountDownLatch(FILES / 4);
                CompletableFuture<Void> crash = CompletableFuture.runAsync(() -> crash(kind, server, begun));
                assertThat(copy(home.resolve("tree").toString(), uri(master), begun)
                                .files())
                        .isEqualTo(tree.size());
                crash.join();
                mount.flush();
                BdtStatistics statistics = mount.bdt().statistics();
                assertThat(statistics.files()).isEqualTo(tree.size());
                assertThat(statistics.bufferedFiles()).isZero();
                wire.harm(0);
                fsck(kind, master);
                wire.harm(HARMED_PERCENT);
            }
            try (BdtMaster master = master(wire, "another-bdt");
                    PackingWorker worker = worker(master, "w2");
                    PackingFileSystem mount = worker.open(MountOptions.from(options))) {
                assertThat(mount.bdt().statistics().files()).isEqualTo(tree.size());
                Path back = home.resolve("back");
                CopyResult result = copy(uri(master), back.toString(), new CountDownLatch(0));
                assertThat(result.files()).isEqualTo(tree.size());
                assertThat(content(back)).isEqualTo(tree);
                wire.harm(0);
                fsck(kind, master);
            }
            assertThat(wire.harmed()).as("connections that were harmed").isPositive();
        }
    }

    /** Kills a server; Azurite, which writes its list of objects every five seconds, only stops for a moment. */
    private static void crash(ServerKind kind, StoreServer server, CountDownLatch begun) {
        try {
            begun.await();
            if (kind == ServerKind.AZURITE) {
                server.freeze();
                server.thaw();
                return;
            }
            server.crash();
            server.revive();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
