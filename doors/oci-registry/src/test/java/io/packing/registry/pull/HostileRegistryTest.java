// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packing.registry.RegistryClient;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry that answers with lean layers of its own making: nothing of them gets into the image, and the whole layer is pulled. */
@Timeout(120)
class HostileRegistryTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LAYER = "a layer of some bytes".getBytes(StandardCharsets.UTF_8);
    private static final long LEAN = 0x504b_4c45_414e_0001L;
    private static final long RECIPE = 0x504b_5245_4349_5045L;

    @TempDir
    private Path home;

    private HttpServer server;
    private volatile byte[] lean = new byte[0];
    private volatile byte[] whole = LAYER;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] manifest = RegistryClient.manifest(CONFIG, LAYER);
        server.createContext("/v2/a/manifests/", exchange -> answer(exchange, manifest));
        server.createContext("/v2/a/_packing/lean/", exchange -> answer(exchange, lean));
        server.createContext("/v2/a/blobs/" + RegistryClient.digest(LAYER), exchange -> answer(exchange, whole));
        server.createContext("/v2/a/blobs/" + RegistryClient.digest(CONFIG), exchange -> answer(exchange, CONFIG));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Writes bytes as big-endian numbers. */
    private interface Bytes {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Bytes bytes) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        bytes.to(new DataOutputStream(all));
        return all.toByteArray();
    }

    private static byte[] recipe(long length, long tarLength, Bytes steps) throws IOException {
        return bytes(out -> {
            out.writeLong(RECIPE);
            out.writeInt(1);
            out.writeLong(length);
            out.writeLong(tarLength);
            out.writeByte(0);
            DeflaterOutputStream deflated = new DeflaterOutputStream(out, new Deflater(9, true));
            steps.to(new DataOutputStream(deflated));
            deflated.finish();
        });
    }

    private static byte[] plain(byte[] recipe, Bytes contents) throws IOException {
        return bytes(out -> {
            out.writeLong(LEAN);
            out.writeLong(recipe.length);
            out.write(recipe);
            contents.to(out);
        });
    }

    private static byte[] lean(byte[] recipe, Bytes contents) throws IOException {
        return Zstd.compress(plain(recipe, contents));
    }

    private ImagePull.Result pull() throws IOException {
        try (PulledFiles files = PulledFiles.open(home.resolve("files"))) {
            return ImagePull.pull(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                    new ImageReference("registry", "a", "v1"),
                    Optional.empty(),
                    new ImagePull.Platform("linux", "amd64"),
                    files,
                    home.resolve("layout"),
                    true);
        }
    }

    private void isPulledWhole(String why, byte[] answer) throws IOException {
        lean = answer;
        Path layer = home.resolve("layout/blobs/sha256")
                .resolve(RegistryClient.digest(LAYER).hex());
        Files.deleteIfExists(layer);
        assertThat(pull().wholeLayers()).as(why).isEqualTo(1);
        assertThat(layer).hasBinaryContent(LAYER);
        try (Stream<Path> kept = Files.list(home.resolve("files/layers"))) {
            assertThat(kept).as(why).isEmpty();
        }
    }

    @Test
    void noLeanLayerThatIsWrongIsBelieved() throws Exception {
        Bytes end = out -> out.writeByte(0);
        Bytes literal = out -> {
            out.writeByte(1);
            out.writeInt(LAYER.length);
            out.write(LAYER);
            out.writeByte(0);
        };
        byte[] right = recipe(LAYER.length, LAYER.length, literal);
        isPulledWhole("nothing", new byte[0]);
        isPulledWhole("no zstd", LAYER);
        isPulledWhole("no lean layer", Zstd.compress(LAYER));
        isPulledWhole("cut off", Zstd.compress(bytes(out -> out.writeLong(LEAN))));
        isPulledWhole("a recipe without end", Zstd.compress(bytes(out -> {
            out.writeLong(LEAN);
            out.writeLong(Long.MAX_VALUE);
        })));
        isPulledWhole("of another length", lean(recipe(LAYER.length + 1, LAYER.length + 1, literal), end));
        isPulledWhole(
                "more steps than bytes",
                lean(
                        recipe(LAYER.length, LAYER.length, out -> {
                            for (int i = 0; i < 10; i++) {
                                out.writeByte(1);
                                out.writeInt(LAYER.length);
                                out.write(LAYER);
                            }
                            out.writeByte(0);
                        }),
                        end));
        isPulledWhole(
                "other bytes",
                lean(
                        recipe(LAYER.length, LAYER.length, out -> {
                            out.writeByte(1);
                            out.writeInt(LAYER.length);
                            out.write(new byte[LAYER.length]);
                            out.writeByte(0);
                        }),
                        end));
        isPulledWhole("a file that nobody names", lean(right, out -> {
            out.writeByte(1);
            out.writeLong(1L << 50);
            out.write(new byte[32]);
        }));
        Bytes content = out -> {
            out.writeByte(2);
            out.writeLong(LAYER.length);
            out.write(new byte[32]);
            out.writeByte(0);
        };
        isPulledWhole("a file of another hash", lean(recipe(LAYER.length, LAYER.length, content), out -> {
            out.writeByte(1);
            out.writeLong(LAYER.length);
            out.write(new byte[32]);
            out.write(LAYER);
            out.writeByte(0);
        }));
        isPulledWhole("a file that never comes", lean(recipe(LAYER.length, LAYER.length, content), end));
        lean = lean(right, end);
        Files.delete(home.resolve("layout/blobs/sha256")
                .resolve(RegistryClient.digest(LAYER).hex()));
        assertThat(pull().leanLayers()).as("the right one").isEqualTo(1);
    }

    @Test
    void noiseIsNeverBelieved() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        byte[] right = recipe(LAYER.length, LAYER.length, out -> {
            out.writeByte(1);
            out.writeInt(LAYER.length);
            out.write(LAYER);
            out.writeByte(0);
        });
        Path layer = home.resolve("layout/blobs/sha256")
                .resolve(RegistryClient.digest(LAYER).hex());
        for (int i = 0; i < 200; i++) {
            byte[] noisy = plain(right, out -> out.writeByte(0));
            noisy[random.nextInt(noisy.length)] ^= (byte) (1 << random.nextInt(8));
            lean = Zstd.compress(noisy);
            Files.deleteIfExists(layer);
            ImagePull.Result unused = pull();
            assertThat(layer).hasBinaryContent(LAYER);
        }
    }

    @Test
    void aWholeLayerOfOtherBytesFailsThePull() throws Exception {
        whole = new byte[LAYER.length];
        assertThatThrownBy(this::pull).isInstanceOf(IOException.class).hasMessageContaining("other bytes");
    }
}
