// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.bdt.client.GrpcBdts;
import io.packing.process.JavaProcess;
import io.packing.store.ObjectStores;
import io.packing.store.RequestListener;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A BDT master and a worker, each a process, over a local directory instead of an object store. */
public record DirectoryRig(String masterAddress, URI metrics, Map<String, String> mountOptions) {
    private static final int GATEWAY_MEGABYTES = 512;
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^bdt_requests_total\\{.*?method=\"(\\w+)\".*?\\} (\\S+)$");

    /** Starts all of it; the workspace stops it. */
    public static DirectoryRig start(Workspace workspace, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        Path objects = Files.createDirectories(workspace.directory().resolve("objects"));
        Map<String, String> options = new LinkedHashMap<>(mountOptions);
        options.put("packing.store", "file://" + objects);
        Servers.BdtMaster master = Servers.startBdtMaster(workspace, "file://" + objects, "bdt.metrics.port=0");
        Servers.startWorker(workspace, "worker", master.address(), options, Map.of());
        URI metrics = URI.create(master.process().awaitLine("metrics at ", Servers.START));
        return new DirectoryRig(master.address(), metrics, Map.copyOf(options));
    }

    /** The root of the mount. */
    public URI root() {
        return URI.create("packing://" + masterAddress + "/");
    }

    /**
     * Starts an S3 gateway over the mount; returns its address.
     *
     * @param keys a file with access keys
     */
    public URI startGateway(Workspace workspace, Path keys) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("s3", "--bind", "127.0.0.1:0", "--keys", keys.toString(), root().toString()));
        mountOptions.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        JavaProcess process = Servers.startCommand(workspace, "s3-gateway", GATEWAY_MEGABYTES, words, Map.of());
        return URI.create(process.awaitLine("S3 gateway of %s at ".formatted(root()), Servers.START));
    }

    /** A new client of the mount. */
    public EngineRig.Client client() throws IOException {
        return client(RequestListener.NONE);
    }

    /** Returns a client that reports its requests to the store to a listener. */
    public EngineRig.Client client(RequestListener listener) throws IOException {
        MountOptions options = MountOptions.from(mountOptions);
        GrpcBdts bdts = GrpcBdts.connect(masterAddress, Servers.START);
        return new EngineRig.Client(
                bdts,
                RemotePackingFileSystem.open(
                        bdts, options, ObjectStores.open(options.store(), listener), Writers.preferHost("127.0.0.1")));
    }

    /** Pushes all that is buffered, so that nothing of it is done later. */
    public void flush() throws IOException {
        try (EngineRig.Client client = client()) {
            client.mount().flush();
        }
    }

    /** Returns the number of the master's requests so far, by method of the protocol. */
    public Map<String, Long> requests() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(metrics).timeout(Servers.START).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the BDT master does not tell its metrics: status " + answer.statusCode());
        }
        Map<String, Long> requests = new TreeMap<>();
        for (MatchResult line : REQUESTS.matcher(answer.body()).results().toList()) {
            requests.merge(line.group(1), Math.round(Double.parseDouble(line.group(2))), Long::sum);
        }
        return requests;
    }
}
