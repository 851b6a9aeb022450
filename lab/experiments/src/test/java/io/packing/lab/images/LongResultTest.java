// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.LongExperiment.Result;
import io.packing.lab.images.LongExperiment.ServerResult;
import io.packing.lab.images.LongExperiment.ServerRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the JSON on servers that ran for long, and of the requests to them. */
@Timeout(60)
class LongResultTest {
    private static ServerResult server(String name, double rate) {
        return new ServerResult(name, new ServerRun(6, 100, 0.01, 1), new ServerRun(2, rate, 0.04, 0.9));
    }

    @Test
    void ratiosAreOursToThePeersAndWhatIsMissingIsNamed() {
        Result result = Result.of(
                5,
                List.of(server("a", 90), server("b", 120), server("c", 100)),
                Map.of("d", "Unable to locate package d"));
        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("rate_ratio_p50").asDouble()).isEqualTo(1);
        assertThat(json.path("rate_ratio_least").asDouble()).isEqualTo(0.9);
        assertThat(json.path("first_answer_speedup_p50").asDouble()).isEqualTo(3);
        assertThat(json.path("servers").path(1).path("rate_ratio").asDouble()).isEqualTo(1.2);
        assertThat(json.path("servers")
                        .path(0)
                        .path("ours")
                        .path("first_answer_s")
                        .asDouble())
                .isEqualTo(2);
        assertThat(json.path("servers").path(0).path("ours").path("price").asDouble())
                .isEqualTo(0.9);
        StringWriter text = new StringWriter();
        result.print(new PrintWriter(text, true));
        assertThat(text.toString()).contains("d          not run: Unable to locate package d");
    }

    @Test
    void aServerThatNobodyKnowsIsRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() ->
                        new LongExperiment(Map.of(), Set.of("nosuch"), Duration.ofSeconds(1), 1, new Narrator(true)))
                .hasMessageContaining("apache, node, postgres, redis");
        assertThatThrownBy(() -> new LongExperiment(Map.of(), Set.of(), Duration.ZERO, 1, new Narrator(true)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Answers one connection with some bytes, and closes it. */
    private static int serverThatSays(String answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try (server;
                    Socket socket = server.accept();
                    InputStream in = socket.getInputStream()) {
                int unused = in.read(new byte[1_000]);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The client sees it.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server.getLocalPort();
    }

    @Test
    void onlyRightAnswersCount() throws Exception {
        LoadOverTcp.Exchange page = (in, out, number) -> LoadOverTcp.page(in, out);
        LoadOverTcp.once(serverThatSays("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), page);
        LoadOverTcp.once(serverThatSays("+OK\r\n"), LoadOverTcp::key);
        for (String bad : List.of(
                "HTTP/1.1 503 Busy\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na",
                "HTTP/1.1 200 OK\r\n\r\n",
                "")) {
            int port = serverThatSays(bad);
            assertThatThrownBy(() -> LoadOverTcp.once(port, page)).as(bad).isInstanceOf(IOException.class);
        }
        int loading = serverThatSays("-LOADING Redis is loading\r\n");
        assertThatThrownBy(() -> LoadOverTcp.once(loading, LoadOverTcp::key)).hasMessageContaining("LOADING");
    }
}
