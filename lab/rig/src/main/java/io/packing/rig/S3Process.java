// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.JavaProcess;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMain;
import io.packing.s3server.S3ServerMetrics;
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

/**
 * The S3 server of a run, in a process of its own: what it costs is no part of the clients that are measured. What it
 * was asked is read over its loopback endpoint.
 *
 * @param process the server
 * @param endpoint its URL
 * @param objects the folder that holds the objects, for what must be there before anybody can ask for it
 */
public record S3Process(JavaProcess process, URI endpoint, Path objects) {
    /** The one bucket. */
    public static final String BUCKET = "bucket";

    static final String ACCESS_KEY = "access";
    static final String SECRET_KEY = "secret";

    private static final int MEGABYTES = 384;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The server's limits on rate and speed.
     *
     * @param putLimit PUT-class requests per second above which it answers 503; 0: none
     * @param putLatency added to every PUT
     * @param getLatency added to every GET of an object
     */
    public record Limits(int putLimit, Duration putLatency, Duration getLatency) {
        /** As fast as it can. */
        public static final Limits NONE = new Limits(0, Duration.ZERO);

        /** Reads at once. */
        public Limits(int putLimit, Duration putLatency) {
            this(putLimit, putLatency, Duration.ZERO);
        }

        public Limits {
            if (putLimit < 0) {
                throw new IllegalArgumentException("--put-limit must not be negative");
            }
        }
    }

    /** Starts one; the workspace stops it. */
    public static S3Process start(Workspace workspace, Limits limits) throws IOException, InterruptedException {
        Path objects = Files.createDirectories(workspace.directory().resolve("s3"));
        List<String> words = List.of(
                "--directory",
                objects.toString(),
                "--bucket",
                BUCKET,
                "--access-key",
                ACCESS_KEY,
                "--secret-key",
                SECRET_KEY,
                "--put-limit",
                Integer.toString(limits.putLimit()),
                "--put-latency-millis",
                Long.toString(limits.putLatency().toMillis()),
                "--get-latency-millis",
                Long.toString(limits.getLatency().toMillis()));
        JavaProcess process = Servers.start(workspace, "s3", S3ServerMain.class.getName(), MEGABYTES, words, Map.of());
        return new S3Process(process, URI.create(process.awaitLine("endpoint=", Servers.START)), objects);
    }

    /** Returns this server at another address, such as behind a wire. */
    S3Process at(URI address) {
        return new S3Process(process, address, objects);
    }

    /** The key with which others use it. */
    public String accessKey() {
        return ACCESS_KEY;
    }

    /** The secret with which others use it. */
    public String secretKey() {
        return SECRET_KEY;
    }

    /** The options with which packing stores below a prefix of the bucket. */
    Map<String, String> storeOptions(String prefix) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("packing.store", "s3://" + BUCKET + "/" + prefix);
        options.put("packing.s3.endpoint", endpoint.toString());
        options.put("packing.s3.path.style", "true");
        options.put("packing.s3.access.key", ACCESS_KEY);
        options.put("packing.s3.secret.key", SECRET_KEY);
        return options;
    }

    /** Returns the value by which a BDT master allows mounts below a prefix of the bucket. */
    String allowed(String prefix) {
        return storeOptions(prefix).get("packing.store") + "@" + endpoint;
    }

    /** Returns the server's counts of requests so far. */
    public S3ServerMetrics metrics() throws IOException, InterruptedException {
        return metrics(endpoint);
    }

    /** Returns the counts of requests of a server that another process started. */
    public static S3ServerMetrics metrics(URI endpoint) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(endpoint.resolve(S3Server.METRICS_PATH))
                .timeout(Servers.START)
                .build();
        HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException("the S3 server does not tell its metrics: status " + answer.statusCode());
        }
        return JSON.readValue(answer.body(), S3ServerMetrics.class);
    }
}
