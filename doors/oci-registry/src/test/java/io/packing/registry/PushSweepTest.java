// SPDX-License-Identifier: Apache-2.0
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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry finds the blobs that another one had not split when it ended. */
@Timeout(60)
class PushSweepTest {
    private static final FilePath BASE = new FilePath("/registry");
    private static final Duration HOUR = Duration.ofHours(1);

    /** The findings of a sweep. */
    private static final class Noted implements PushSweep.UnfinishedWork {
        private final List<Digest> blobs = new ArrayList<>();
        private final List<String> manifests = new ArrayList<>();

        @Override
        public void leftBlob(Digest digest) {
            blobs.add(digest);
        }

        @Override
        public void leftManifest(String repository, Digest digest) {
            manifests.add(repository + " " + digest);
        }
    }

    /** Trees that are only said to be made. */
    private static final class SaidTrees implements ImageTrees {
        private final Set<Digest> made = ConcurrentHashMap.newKeySet();

        @Override
        public boolean isSettled(String repository, Digest manifest) {
            return made.contains(manifest);
        }

        @Override
        public Result make(String repository, Digest manifest) {
            made.add(manifest);
            return Result.MADE;
        }
    }

    private final SaidTrees trees = new SaidTrees();
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

    private PushSweep sweep(TestMount mount) {
        return new PushSweep(
                mount.files(),
                new Layout(BASE),
                Optional.of(engine(mount)),
                Optional.of(trees),
                Optional.empty(),
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
            Noted found = new Noted();
            assertThat(sweep(mount).step(found)).isTrue();
            assertThat(found.blobs)
                    .containsExactlyInAnyOrder(RegistryClient.digest(layer(1)), RegistryClient.digest(layer(3)));
            assertThat(sweep(mount).step(found)).as("by any registry").isFalse();
            assertThat(found.blobs).hasSize(2);
            millis.addAndGet(HOUR.toMillis() + 60_000);
            assertThat(engine.examine(RegistryClient.digest(layer(1)))).isPresent();
            found.blobs.clear();
            assertThat(sweep(mount).step(found)).isTrue();
            assertThat(found.blobs).containsExactly(RegistryClient.digest(layer(3)));
            assertThat(mount.files()
                            .list(new FilePath("/registry/scratch"), "", 10)
                            .orElse(List.of()))
                    .isEmpty();
        }
    }

    private static Digest pushManifest(RegistryClient client, String repository, byte[] blob, String tag)
            throws IOException, InterruptedException {
        assertThat(client.push(repository, blob).statusCode()).isEqualTo(201);
        byte[] manifest = RegistryClient.manifest(blob);
        assertThat(client.tag(repository, tag, manifest).statusCode()).isEqualTo(201);
        return RegistryClient.digest(manifest);
    }

    @Test
    void manifestsWithoutATreeAreFoundAndThoseThatAreSettledAreNot() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            Digest first;
            Digest second;
            try (RegistryServer server = RegistryServer.start(
                    TestRegistries.config(BASE.value(), false),
                    mount.files(),
                    Access.OPEN,
                    new SimpleMeterRegistry())) {
                RegistryClient client = new RegistryClient(server.uri());
                first = pushManifest(client, "team/app", layer(1), "v1");
                second = pushManifest(client, "other", layer(2), "v1");
            }
            Noted found = new Noted();
            assertThat(sweep(mount).step(found)).isTrue();
            assertThat(found.manifests).containsExactlyInAnyOrder("team/app " + first, "other " + second);
            trees.made.add(first);
            millis.addAndGet(HOUR.toMillis() + 60_000);
            found.manifests.clear();
            assertThat(sweep(mount).step(found)).isTrue();
            assertThat(found.manifests).containsExactly("other " + second);
        }
    }

    @Test
    void aPushedImageGetsItsTreeBehindThePush() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = RegistryServer.start(
                        TestRegistries.config(BASE.value(), false),
                        mount.files(),
                        Optional.of(trees),
                        Access.OPEN,
                        meters)) {
            RegistryClient client = new RegistryClient(server.uri());
            Digest manifest = pushManifest(client, "app", layer(1), "v1");
            server.awaitPushed();
            assertThat(trees.made).containsExactly(manifest);
            // Another tag of an image that has its tree is no work.
            pushManifest(client, "app", layer(1), "v2");
            server.awaitPushed();
            assertThat(meters.counter("packing.registry.trees", "outcome", "made")
                            .count())
                    .isOne();
        }
    }

    @Test
    void ofManyRegistriesOneSweeps() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            push(mount, layer(1));
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(() -> sweep(mount).step(new Noted()));
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
