// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.process.JavaProcess;
import io.packing.s3server.FaultProxyMain;
import io.packing.s3server.Faults;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMain;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestListener;
import io.packing.store.StoreOptions;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object store of all rounds, in a process of its own, whose faults can be switched: our S3 server, or a server of a cloud's protocol
 * behind a proxy with the same faults.
 */
public final class StoreSide implements AutoCloseable {
    private static final int MEGABYTES = 256;
    private static final Duration START = Duration.ofSeconds(60);
    private static final String BUCKET = "bucket";
    private static final int PAGE = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(StoreSide.class);

    private final JavaProcess process;
    private final URI endpoint;
    private final Optional<StoreServer> server;
    private final StoreKind kind;
    private final HttpClient control = HttpClient.newHttpClient();

    private StoreSide(JavaProcess process, URI endpoint, Optional<StoreServer> server, StoreKind kind) {
        this.process = process;
        this.endpoint = endpoint;
        this.server = server;
        this.kind = kind;
    }

    static StoreSide start(Launch launch, Path home, StoreKind kind) throws IOException, InterruptedException {
        Optional<ServerKind> behind = kind.server();
        return behind.isPresent() ? behindProxy(launch, home, kind, behind.get()) : ofS3(launch, home);
    }

    private static StoreSide behindProxy(Launch launch, Path home, StoreKind kind, ServerKind behind)
            throws IOException, InterruptedException {
        StoreServer server = StoreServer.start(behind, home.resolve("store"));
        try {
            JavaProcess proxy = launch.start(
                    "store-proxy",
                    FaultProxyMain.class.getName(),
                    MEGABYTES,
                    List.of(server.endpoint().toString()),
                    Map.of());
            return started(proxy, Optional.of(server), kind);
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private static StoreSide ofS3(Launch launch, Path home) throws IOException, InterruptedException {
        Path objects = Files.createDirectories(home.resolve("s3"));
        JavaProcess process = launch.start(
                "s3",
                S3ServerMain.class.getName(),
                MEGABYTES,
                List.of("--directory", objects.toString(), "--bucket", BUCKET),
                Map.of());
        return started(process, Optional.empty(), StoreKind.S3);
    }

    private static StoreSide started(JavaProcess process, Optional<StoreServer> server, StoreKind kind)
            throws IOException, InterruptedException {
        try {
            return new StoreSide(process, URI.create(process.awaitLine("endpoint=", START)), server, kind);
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    public URI endpoint() {
        return endpoint;
    }

    /** Returns the options of a mount that stores below a prefix. The keys are passed in the environment instead. */
    Map<String, String> options(String prefix) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("packing.store", kind.location(prefix));
        options.put("packing.s3.endpoint", endpoint.toString());
        if (kind == StoreKind.S3) {
            options.put("packing.s3.path.style", "true");
        }
        return options;
    }

    /** Returns the keys of the store as variables of a process's environment. */
    Map<String, String> keys() {
        return kind.keys();
    }

    /** Returns the keys of the store as options of a mount. */
    Map<String, String> keyOptions() {
        Map<String, String> options = new LinkedHashMap<>();
        keys().forEach((name, value) -> options.put(StoreKind.option(name), value));
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
        Map<String, String> options = options(prefix);
        options.putAll(keyOptions());
        try (ObjectStore objects = ObjectStores.open(StoreOptions.from(options), RequestListener.NONE)) {
            List<ObjectInfo> page = objects.list("", "", PAGE);
            while (!page.isEmpty()) {
                objects.delete(page.stream().map(ObjectInfo::key).toList());
                page = objects.list("", "", PAGE);
            }
        }
    }

    @Override
    public void close() {
        process.close();
        server.ifPresent(other -> {
            try {
                other.close();
            } catch (IOException e) {
                LOG.warn("{} may run on", other, e);
            }
        });
    }
}
