package io.packing.fuzz;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/**
 * The threads of status ports. A port starts one with each request until it has the most that it may have. On a slow machine that takes
 * longer than until threads are counted first, and those that come later look like threads that are lost.
 */
final class StatusThreads {
    /** Of a port. */
    static final int MOST = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private StatusThreads() {}

    /** Makes each port start all that it may have. */
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
                    // Its thread was started all the same. Whether a port is well is asked after the battle.
                }
            }
        }
    }
}
