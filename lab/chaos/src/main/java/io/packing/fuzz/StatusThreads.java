// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/**
 * A warm-up of the status ports' threads. A port starts a thread with each request up to its limit. On a slow machine
 * it reaches the limit after the first count of threads, and the later threads look like lost ones.
 */
final class StatusThreads {
    /** The most threads of a port. */
    static final int MOST = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private StatusThreads() {}

    /** Makes each port start all its threads. */
    static void start(List<Integer> ports) throws InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        for (int port : ports) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://%s:%d/healthz".formatted(House.HOST, port)))
                    .timeout(PATIENCE)
                    .build();
            for (int i = 0; i < MOST; i++) {
                try {
                    HttpResponse<Void> unused = client.send(request, HttpResponse.BodyHandlers.discarding());
                } catch (IOException e) {
                    // The request has started its thread anyway. The health of ports is checked after the battle.
                }
            }
        }
    }
}
