// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the images, the log and the figures of HelloBench with real depth. */
class HelloSuiteTest {
    @TempDir
    private Path home;

    private static HelloStart start(String image, boolean isCold, double peer, double ours) {
        return new HelloStart(
                new HelloStart.Facts(image, "database", 7, 3, "answer", 1_000, 400, isCold, 1, 125_000_000, 2.5),
                new HelloStart.Peer(peer, peer, peer, peer, 1),
                new HelloStart.Own(
                        ours, isCold ? ours : Double.NaN, isCold ? 3 * ours : Double.NaN, 80, ours, ours, 2, 40));
    }

    @Test
    void thereAreImagesOfAllKindsWithFourToTwelveLayers() {
        Map<String, HelloImage> images = HelloSuite.images();
        assertThat(images).hasSizeGreaterThanOrEqualTo(24);
        assertThat(images)
                .hasSize(HelloServers.all().size() + HelloLanguages.all().size());
        assertThat(images.values()).allSatisfy(image -> {
            assertThat(image.recipe().depth()).as(image.name()).isBetween(4, 12);
            assertThat(image.baseLayers())
                    .isPositive()
                    .isLessThan(image.recipe().depth());
        });
        Set<String> first =
                images.values().stream().limit(12).map(HelloImage::category).collect(Collectors.toSet());
        assertThat(first)
                .as("kinds of the first twelve")
                .contains("language", "database", "web server", "web framework");
    }

    @Test
    void aLogGivesBackTheRowsOfSeveralRuns() throws Exception {
        HelloLog log = new HelloLog(home.resolve("starts.csv"));
        assertThat(log.read()).isEmpty();
        List<HelloStart> first = List.of(start("redis", true, 10, 1), start("redis", false, 5, 2));
        List<HelloStart> second = List.of(start("php", true, 8, 0.5));
        log.add(first);
        log.add(second);
        assertThat(log.read()).containsExactly(first.get(0), first.get(1), second.get(0));
        assertThat(Files.readAllLines(home.resolve("starts.csv")))
                .hasSize(4)
                .first()
                .asString()
                .startsWith("image,category,layers,base_layers,ready_by");
    }

    @Test
    void aFileThatIsNoLogIsRefusedByItsName() throws Exception {
        Path file = Files.writeString(home.resolve("starts.csv"), "image,cold\nredis\n");
        assertThatThrownBy(() -> new HelloLog(file).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
        Files.writeString(file, "image,layers\nredis,many\n");
        assertThatThrownBy(() -> new HelloLog(file).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void coldAndWarmStartsHaveMediansOfTheirOwn() {
        HelloSuiteResult result = HelloSuiteResult.of(
                List.of(
                        start("a", true, 10, 1),
                        start("a", false, 4, 1),
                        start("b", true, 4, 2),
                        start("b", false, 6, 1),
                        start("c", true, 9, 3),
                        start("c", false, 5, 1)),
                Map.of("d", "it does not answer"));
        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("images").asInt()).isEqualTo(3);
        // 20/2, 8/4, 18/6, and 8/2, 12/2, 10/2.
        assertThat(json.path("figures")
                        .path("cold")
                        .path("deployment")
                        .path("median")
                        .asDouble())
                .isEqualTo(3);
        assertThat(json.path("figures")
                        .path("cold")
                        .path("deployment")
                        .path("most")
                        .asDouble())
                .isEqualTo(10);
        assertThat(json.path("figures")
                        .path("warm")
                        .path("deployment")
                        .path("median")
                        .asDouble())
                .isEqualTo(5);
        // A first run takes three times as long: 20/4, 8/8, 18/12; with compression and push 40/5, 16/10, 36/15.
        assertThat(json.path("figures")
                        .path("cold")
                        .path("first_deployment")
                        .path("median")
                        .asDouble())
                .isEqualTo(1.5);
        assertThat(json.path("figures")
                        .path("cold")
                        .path("development")
                        .path("median")
                        .asDouble())
                .isEqualTo(2.4);
        assertThat(json.path("figures")
                        .path("cold")
                        .path("limit")
                        .path("median")
                        .asDouble())
                .isEqualTo(18);
        assertThat(json.path("figures").path("cold").path("read").path("median").asDouble())
                .isEqualTo(0.04);
        assertThat(json.path("starts").path(1).path("cold").asBoolean()).isFalse();
        assertThat(json.path("starts").path(1).path("ready_by").asText()).isEqualTo("answer");
        assertThat(json.path("failed").path("d").asText()).isEqualTo("it does not answer");
        StringWriter text = new StringWriter();
        result.print(new PrintWriter(text, true));
        assertThat(text.toString()).contains("deployment: 3.00 (2.00 to 10.00) times as fast", "d            failed");
    }

    @Test
    void aNameThatIsNoImageIsRefusedBeforeAnythingStarts() {
        assertThatThrownBy(
                        () -> new HelloSuite(Map.of(), Set.of("windows"), home, NetworkLink.NONE, new Narrator(true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("windows");
    }

    /** Serves one connection, by a fixed answer to any request. */
    private static void answer(ServerSocket server, String answer) {
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                int unused = socket.getInputStream().read();
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The asking side sees that no answer comes.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void aServerThatRefusesOrIsNotReadyHasNotAnswered() throws Exception {
        HelloReady.FirstRequest page = HelloReady.FirstRequest.page("/");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            answer(server, "HTTP/1.0 503 Service Unavailable\r\n\r\n");
            assertThatThrownBy(() -> page.ask(server.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("503");
            answer(server, "HTTP/1.1 204 No Content\r\n\r\n");
            assertThatCode(() -> page.ask(server.getLocalPort())).doesNotThrowAnyException();
            answer(server, "");
            assertThatThrownBy(() -> page.ask(server.getLocalPort())).isInstanceOf(IOException.class);
        }
    }
}
