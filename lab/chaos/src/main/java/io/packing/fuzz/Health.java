// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.fuzz.battle.Finds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** An operator's probe of the status ports of a house. */
final class Health {
    private static final int OK = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /**
     * A complaint that callers may cause: without TLS a caller may claim files as a worker, and come back without them.
     */
    private static final String LOST = "files are lost: workers came back without";

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Integer> ports;
    private final Finds finds;

    Health(List<Integer> ports, Finds finds) {
        this.ports = ports;
        this.finds = finds;
    }

    /** Probes each port once. */
    void probe() throws InterruptedException {
        for (int port : List.copyOf(ports)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + House.HOST + ":" + port + "/healthz"))
                    .timeout(PATIENCE)
                    .build();
            try {
                HttpResponse<String> health = client.send(request, HttpResponse.BodyHandlers.ofString());
                judge(health.statusCode(), health.body()).forEach(line -> finds.add("not healthy: " + line, -1, ""));
            } catch (IOException e) {
                finds.add("health does not answer: " + e, -1, "");
            }
        }
    }

    /** Returns the lines of an answer that complain of anything else than files lost by callers. */
    static List<String> judge(int status, String body) {
        return status == OK
                ? List.of()
                : body.lines()
                        .filter(line -> !line.isBlank() && !line.contains(LOST))
                        .toList();
    }
}
