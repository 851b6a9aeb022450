package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a registry that ended had not split is found by another one. */
@Timeout(60)
class DedupSweepTest {
    private static final FilePath BASE = new FilePath("/registry");
    private static final Duration HOUR = Duration.ofHours(1);

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    @TempDir
    private Path home;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private DedupEngine engine(TestMount mount) {
        Layout layout = new Layout(BASE);
        return new DedupEngine(
                mount.files(),
                layout,
                new Rebuilder(mount.files(), layout, new ReadAhead(threads, 0)),
                threads,
                () -> UUID.randomUUID().toString(),
                DedupLimits.DEFAULT);
    }

    private DedupSweep sweep(TestMount mount) {
        return new DedupSweep(
                mount.files(),
                new Layout(BASE),
                engine(mount),
                () -> UUID.randomUUID().toString(),
                millis::get,
                HOUR);
    }

    private static byte[] layer(int number) {
        return new TestTar()
                .file("file", ("content " + number).repeat(200).getBytes(StandardCharsets.UTF_8))
                .end();
    }

    private static void push(TestMount mount, byte[]... layers) throws IOException, InterruptedException {
        try (RegistryServer server = RegistryServer.start(
                TestRegistries.config(BASE.value(), false), mount.files(), Access.OPEN, new SimpleMeterRegistry())) {
            RegistryClient client = new RegistryClient(server.uri());
            for (byte[] layer : layers) {
                assertThat(client.push("a", layer).statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void blobsThatNobodyLookedAtAreFoundOnceAnHour() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            push(mount, layer(1), layer(2), layer(3));
            DedupEngine engine = engine(mount);
            assertThat(engine.examine(RegistryClient.digest(layer(2)))).isPresent();
            List<Digest> found = new ArrayList<>();
            assertThat(sweep(mount).step(found::add)).isTrue();
            assertThat(found)
                    .containsExactlyInAnyOrder(RegistryClient.digest(layer(1)), RegistryClient.digest(layer(3)));
            assertThat(sweep(mount).step(found::add)).as("by any registry").isFalse();
            assertThat(found).hasSize(2);
            millis.addAndGet(HOUR.toMillis() + 60_000);
            assertThat(engine.examine(RegistryClient.digest(layer(1)))).isPresent();
            found.clear();
            assertThat(sweep(mount).step(found::add)).isTrue();
            assertThat(found).containsExactly(RegistryClient.digest(layer(3)));
            assertThat(mount.files()
                            .list(new FilePath("/registry/scratch"), "", 10)
                            .orElse(List.of()))
                    .isEmpty();
        }
    }

    @Test
    void ofManyRegistriesOneSweeps() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            push(mount, layer(1));
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(() -> sweep(mount).step(digest -> {}));
            }
            int swept = 0;
            for (Future<Boolean> each : threads.invokeAll(all)) {
                swept += each.get() ? 1 : 0;
            }
            assertThat(swept).isOne();
        }
    }

    @Test
    void aRegistrySplitsAtItsStartWhatAnotherLeft() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            push(mount, layer(1));
            FilePath recipe = new Layout(BASE).recipe(RegistryClient.digest(layer(1)));
            assertThat(mount.files().stat(recipe)).isEmpty();
            try (RegistryServer server = RegistryServer.start(
                    TestRegistries.config(BASE.value(), true), mount.files(), Access.OPEN, new SimpleMeterRegistry())) {
                while (mount.files().stat(recipe).isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(new RegistryClient(server.uri())
                                .pull("a", RegistryClient.digest(layer(1)))
                                .body())
                        .isEqualTo(layer(1));
            }
        }
    }
}
