// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server of Trino, coordinator and worker in one, with a catalog of Iceberg whose files go by the gateway. Thread-safe. */
final class TrinoServer {
    /** The name of the catalog. */
    static final String CATALOG = "lake";

    private static final int HEAP_MB = 1_536;
    private static final Duration START = Duration.ofMinutes(4);
    private static final Duration ANSWER = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI server;

    private TrinoServer(URI server) {
        this.server = server;
    }

    /** A statement that the server has refused. */
    static final class StatementFailedException extends IOException {
        private static final long serialVersionUID = 1;
        private final String kind;

        StatementFailedException(String statement, String kind, String message) {
            super("%s: %s: %s".formatted(statement, kind, message));
            this.kind = kind;
        }

        /** Returns whether another writer's commit came first. */
        boolean isConflict() {
            return kind.contains("COMMIT") || kind.contains("CONFLICT");
        }
    }

    /** Starts a server, and waits until it takes statements. */
    static TrinoServer start(EngineGround ground, Path java) throws IOException, InterruptedException {
        Path etc = Files.createDirectories(ground.home().resolve("trino/etc"));
        Path catalogs = Files.createDirectories(etc.resolve("catalog"));
        int port = Ports.free(1).get(0);
        Path config = Files.writeString(etc.resolve("config.properties"), """
                node.environment=trial
                node.id=trial
                node.bind-ip=127.0.0.1
                node.internal-address=127.0.0.1
                coordinator=true
                node-scheduler.include-coordinator=true
                http-server.http.port=%d
                discovery.uri=http://127.0.0.1:%d
                plugin.dir=%s
                catalog.config-dir=%s
                query.max-memory-per-node=300MB
                """.formatted(
                        port, port, ground.jars().folder("trino/plugin"), catalogs));
        Path unused = Files.writeString(catalogs.resolve(CATALOG + ".properties"), """
                connector.name=iceberg
                iceberg.catalog.type=TESTING_FILE_METASTORE
                hive.metastore.catalog.dir=s3://%s/trino
                iceberg.expire-snapshots.min-retention=0s
                fs.native-s3.enabled=true
                s3.endpoint=%s
                s3.region=us-east-1
                s3.path-style-access=true
                s3.aws-access-key=%s
                s3.aws-secret-key=%s
                """.formatted(
                        EngineGround.TABLES, ground.gateway(), EngineGround.ACCESS_KEY, EngineGround.SECRET_KEY));
        JavaCommand command = new JavaCommand(
                        "trino",
                        TrinoMain.class.getName(),
                        List.of(ground.jars().all("trino/lib"), EngineGround.ownClasses()),
                        HEAP_MB,
                        Map.of("config", config.toString(), "jdk.attach.allowAttachSelf", "true"),
                        List.of("trial"))
                // It asks for this collector, and its threads need larger stacks than ours.
                .withJvmOptions(List.of("-XX:-UseSerialGC", "-XX:+UseG1GC", "-Xss2m", "-XX:TieredStopAtLevel=1"))
                .withJava(java);
        JavaProcess process = ground.start(command);
        TrinoServer started = new TrinoServer(URI.create("http://127.0.0.1:" + port));
        process.await("takes no statements", START, started::isReady);
        return started;
    }

    private boolean isReady() throws InterruptedException {
        try {
            JsonNode info = send(request("/v1/info").GET());
            return info.has("starting") && !info.get("starting").asBoolean();
        } catch (IOException e) {
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER).header("X-Trino-User", "engine");
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException("Trino answers with status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return JSON.readTree(answer.body());
    }

    /** Runs a statement to its end; returns the rows of its answer. */
    List<List<String>> run(String statement) throws IOException, InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        JsonNode answer = send(request("/v1/statement").POST(HttpRequest.BodyPublishers.ofString(statement)));
        while (true) {
            JsonNode error = answer.path("error");
            if (error.isObject()) {
                throw new StatementFailedException(
                        statement,
                        error.path("errorName").asText(),
                        error.path("message").asText());
            }
            for (JsonNode row : answer.path("data")) {
                List<String> cells = new ArrayList<>();
                row.forEach(cell -> cells.add(cell.asText()));
                rows.add(cells);
            }
            if (!answer.has("nextUri")) {
                return rows;
            }
            answer = send(request(URI.create(answer.get("nextUri").asText()).getRawPath())
                    .GET());
        }
    }
}
