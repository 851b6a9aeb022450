// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.seed.Seed;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import io.packing.storeservers.ToxicWire;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nearly all connections to the store break off sooner or later, end early, fall silent or are slow. */
@Timeout(300)
class ToxicStoreTest {
    private static final int THREADS = 4;
    private static final int STEPS = 60;
    private static final int HARMED_PERCENT = 90;
    private static final int LARGEST = 300_000;

    @TempDir
    private Path temporary;

    /** The objects of one thread: the store's answer to each step holds, to the byte. */
    private static final class Caller {
        private final ObjectStore store;
        private final String name;
        private final Random random;
        private final Path folder;
        private final Map<String, byte[]> there = new TreeMap<>();

        Caller(ObjectStore store, int number, Path folder) {
            this.store = store;
            this.name = "caller-" + number;
            this.random = new Random(Seed.value() + number);
            this.folder = folder;
        }

        Map<String, byte[]> run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                String key = "%s/%d".formatted(name, random.nextInt(20));
                switch (random.nextInt(8)) {
                    case 0, 1 -> put(key);
                    case 2, 3 -> putOnce(key);
                    case 4 -> read(key);
                    case 5 -> download(key, step);
                    case 6 -> list();
                    default -> delete(key);
                }
            }
            return there;
        }

        private byte[] content() {
            byte[] content = new byte[1 + random.nextInt(1 << random.nextInt(19)) % LARGEST];
            random.nextBytes(content);
            return content;
        }

        private void put(String key) throws IOException {
            byte[] content = content();
            store.put(key, ByteBuffer.wrap(content), PutCondition.NONE);
            there.put(key, content);
        }

        private void putOnce(String key) throws IOException {
            byte[] content = content();
            boolean put = true;
            try {
                store.put(key, ByteBuffer.wrap(content), PutCondition.IF_ABSENT);
            } catch (PreconditionFailedException e) {
                put = false;
            }
            assertThat(put).as("%s was put on condition", key).isEqualTo(!there.containsKey(key));
            there.putIfAbsent(key, content);
        }

        private void read(String key) throws IOException {
            byte[] content = there.get(key);
            if (content == null) {
                assertThat(store.head(key)).as(key).isEmpty();
                return;
            }
            int from = random.nextInt(content.length);
            int length = 1 + random.nextInt(content.length - from);
            assertThat(store.get(key, from, length))
                    .as("%s from %d, %d bytes", key, from, length)
                    .isEqualTo(ByteBuffer.wrap(content, from, length).slice());
            assertThat(store.getTail(key, 100).remaining()).isEqualTo(Math.min(100, content.length));
        }

        private void download(String key, int step) throws IOException {
            byte[] content = there.get(key);
            if (content != null) {
                Path target = folder.resolve("%s-%d".formatted(name, step));
                store.download(key, target);
                assertThat(target).hasBinaryContent(content);
            }
        }

        private void list() throws IOException {
            List<String> found = new ArrayList<>();
            store.list(name + "/", "", 1_000).forEach(each -> found.add(each.key()));
            assertThat(found).containsExactlyElementsOf(there.keySet());
        }

        private void delete(String key) throws IOException {
            store.delete(List.of(key, key + "-never"));
            there.remove(key);
        }
    }

    @Test
    void whatTheServerInThisJvmSaidHolds() throws Exception {
        S3ServerOptions config = new S3ServerOptions(
                0,
                Files.createDirectory(temporary.resolve("s3")),
                ServerKind.ACCESS_KEY,
                ServerKind.SECRET_KEY,
                List.of(ServerKind.BUCKET),
                0,
                Duration.ZERO);
        try (S3Server server = S3Server.start(config)) {
            check(server.endpoint());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"MOTO", "FAKE_GCS", "AZURITE"})
    void whatARealServerSaidHolds(ServerKind kind) throws Exception {
        assumeTrue(kind.find().isPresent(), kind.howToInstall());
        try (StoreServer server = StoreServer.start(kind, temporary.resolve("server"))) {
            check(server.endpoint());
        }
    }

    private void check(URI server) throws Exception {
        Path folder = Files.createDirectory(temporary.resolve("downloads"));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (ToxicWire wire = new ToxicWire(server, 0, Seed.value());
                ObjectStore store = ObjectStores.open(
                        S3Fixtures.real(wire.endpoint(), "toxic", Map.of("packing.s3.retry.timeout", "60s")))) {
            wire.harm(HARMED_PERCENT);
            // Earlier connections are sound.
            wire.part();
            wire.join();
            List<Future<Map<String, byte[]>>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Caller caller = new Caller(store, i, folder);
                callers.add(threads.submit(caller::run));
            }
            Map<String, byte[]> all = new TreeMap<>();
            for (Future<Map<String, byte[]>> caller : callers) {
                all.putAll(caller.get());
            }
            assertThat(wire.harmed()).as("connections that were harmed").isPositive();
            wire.harm(0);
            wire.part();
            wire.join();
            Map<String, ByteBuffer> found = new TreeMap<>();
            for (ObjectInfo each : store.list("", "", 1_000)) {
                found.put(each.key(), store.getTail(each.key(), LARGEST));
            }
            Map<String, ByteBuffer> expected = new TreeMap<>();
            all.forEach((key, content) -> expected.put(key, ByteBuffer.wrap(content)));
            assertThat(found).isEqualTo(expected);
        } finally {
            threads.shutdownNow();
        }
    }
}
