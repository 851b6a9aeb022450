// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.process.JavaProcess;
import io.packing.s3server.Faults;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The object store of all rounds: an S3 server in a process of its own, whose faults can be switched. */
public final class StoreSide implements AutoCloseable {
    private static final int MEGABYTES = 256;
    private static final Duration START = Duration.ofSeconds(60);
    private static final String BUCKET = "bucket";

    private final JavaProcess process;
    private final URI endpoint;
    private final Path objects;
    private final HttpClient control = HttpClient.newHttpClient();

    private StoreSide(JavaProcess process, URI endpoint, Path objects) {
        this.process = process;
        this.endpoint = endpoint;
        this.objects = objects;
    }

    static StoreSide start(Launch launch, Path home) throws IOException, InterruptedException {
        Path objects = Files.createDirectories(home.resolve("s3"));
        JavaProcess process = launch.start(
                "s3",
                S3ServerMain.class.getName(),
                MEGABYTES,
                List.of("--directory", objects.toString(), "--bucket", BUCKET),
                Map.of());
        try {
            return new StoreSide(process, URI.create(process.awaitLine("endpoint=", START)), objects);
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    URI endpoint() {
        return endpoint;
    }

    /** Returns the options of a mount that stores below a prefix. The keys are passed in the environment instead. */
    Map<String, String> options(String prefix) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("packing.store", "s3://%s/%s".formatted(BUCKET, prefix));
        options.put("packing.s3.endpoint", endpoint.toString());
        options.put("packing.s3.path.style", "true");
        return options;
    }

    /** Makes requests fail by these faults from now on. */
    public void inject(Faults faults) throws IOException, InterruptedException {
        ask("POST", "?" + faults.toQuery());
    }

    /** Counts the requests that have failed by faults. */
    public long injected() throws IOException, InterruptedException {
        return Long.parseLong(ask("GET", ""));
    }

    private String ask(String method, String query) throws IOException, InterruptedException {
        HttpResponse<String> answer = control.send(
                HttpRequest.newBuilder(endpoint.resolve(S3Server.FAULTS_PATH + query))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(START)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the S3 server refuses the faults: " + answer.body());
        }
        return answer.body();
    }

    /** Deletes the objects of a round. */
    void drop(String prefix) throws IOException {
        Trees.delete(objects.resolve(BUCKET).resolve(prefix));
    }

    @Override
    public void close() {
        process.close();
    }
}
