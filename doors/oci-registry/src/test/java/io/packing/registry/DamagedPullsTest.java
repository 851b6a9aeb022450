// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A layer whose bytes are damaged in the store is not given out whole, however often it was pulled before. */
@Timeout(120)
class DamagedPullsTest {
    private static final int PREFIX = 64;

    private final Random random = Seed.random();

    @TempDir
    private Path home;

    private static RegistryServer start(TestMount mount) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", false), mount.files(), Access.OPEN, new SimpleMeterRegistry());
    }

    /**
     * Returns whether the layer comes whole; otherwise the pull is refused, or the connection is cut when the answer
     * has begun.
     */
    private static boolean comes(RegistryServer server, byte[] layer) throws InterruptedException {
        Digest digest = RegistryClient.digest(layer);
        try {
            HttpResponse<byte[]> answer = new RegistryClient(server.uri()).pull("a", digest);
            if (answer.statusCode() == 500) {
                return false;
            }
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(RegistryClient.digest(answer.body())).isEqualTo(digest);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The object that has the bytes of a layer from a position on, and where in it. */
    private record Stored(Path object, int at) {}

    private Stored find(byte[] layer, int position) throws IOException {
        List<Path> objects;
        try (Stream<Path> files = Files.walk(home.resolve("store"))) {
            objects = files.filter(Files::isRegularFile).toList();
        }
        for (Path object : objects) {
            byte[] bytes = Files.readAllBytes(object);
            for (int at = 0; at <= bytes.length - PREFIX; at++) {
                if (bytes[at] == layer[position] && matches(bytes, at, layer, position)) {
                    return new Stored(object, at);
                }
            }
        }
        throw new IOException("no object has the layer");
    }

    private static boolean matches(byte[] bytes, int at, byte[] layer, int position) {
        for (int i = 0; i < PREFIX; i++) {
            if (bytes[at + i] != layer[position + i]) {
                return false;
            }
        }
        return true;
    }

    private static void flip(Stored stored) throws IOException {
        byte[] bytes = Files.readAllBytes(stored.object());
        bytes[stored.at()] ^= 4;
        Files.write(stored.object(), bytes);
    }

    @Test
    void aDamagedByteInTheStoreIsFoundByEachLaterPullAndAfterARestart() throws Exception {
        byte[] layer = new byte[21_000_000];
        random.nextBytes(layer);
        try (TestMount mount = TestMount.start(home)) {
            Stored stored;
            try (RegistryServer server = start(mount)) {
                new RegistryClient(server.uri()).push("a", layer);
                mount.mount().flush();
                assertThat(comes(server, layer)).isTrue();
                assertThat(comes(server, layer)).isTrue();
                stored = find(layer, random.nextInt(layer.length - PREFIX));
                flip(stored);
                for (int pull = 0; pull < 3; pull++) {
                    assertThat(comes(server, layer)).as("damaged").isFalse();
                }
            }
            try (RegistryServer restarted = start(mount)) {
                assertThat(comes(restarted, layer)).as("damaged").isFalse();
                flip(stored);
                assertThat(comes(restarted, layer)).as("mended").isTrue();
                assertThat(comes(restarted, layer)).as("mended").isTrue();
                flip(stored);
                assertThat(comes(restarted, layer)).as("damaged again").isFalse();
            }
        }
    }

    @Test
    void aRefusedPullIsNothingThatACacheKeeps() throws Exception {
        byte[] layer = new byte[5_000_000];
        random.nextBytes(layer);
        Digest digest = RegistryClient.digest(layer);
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount)) {
            RegistryClient client = new RegistryClient(server.uri());
            client.push("a", layer);
            mount.mount().flush();
            assertThat(client.pull("a", digest).headers().map()).containsKeys("etag", "cache-control");
            flip(find(layer, 0));
            HttpResponse<byte[]> refused = client.pull("a", digest);
            assertThat(refused.statusCode()).isEqualTo(500);
            assertThat(refused.headers().map())
                    .doesNotContainKeys("etag", "cache-control", "accept-ranges", "docker-content-digest");
        }
    }
}
