// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import com.google.common.io.CountingInputStream;
import io.packing.registry.dedup.ClientFileList;
import io.packing.registry.dedup.LeanLayerReader;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import io.packing.registry.tar.TarEntry;
import io.packing.registry.tar.TarReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPInputStream;

/**
 * A client that keeps each file of its layers once, as a process of its own (DupHunter, §6.3.2). It pulls the first layers before the clock
 * starts, and then some at a time. It prints its processor time, elapsed time and peak memory as a line of JSON.
 */
public final class OffloadClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int BUFFER = 64 << 10;
    /** The registry keeps smaller files in the description of the layer, too. */
    private static final int LEAST_CONTENT = 512;

    /** A way to have each file once. */
    enum Way {
        /** The client pulls gzipped layers, and decompresses, hashes and compares all of their files. */
        WHOLE,
        /** The registry leaves out the files that the client has. */
        LEAN,
        /** The client has lean layers, and makes each layer of its files, as {@code packing pull} does. */
        MADE;

        /** Returns the name for reports. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A layer of a repository. */
    record Wanted(String repository, String digest, long size) {}

    /**
     * The work of a client.
     *
     * @param threads layers that are pulled at a time
     * @param directory that the client makes
     * @param before layers that it has when the clock starts
     */
    record Plan(String registry, Way way, int threads, String directory, List<Wanted> before, List<Wanted> layers) {
        Plan {
            before = List.copyOf(before);
            layers = List.copyOf(layers);
        }
    }

    /**
     * The cost of a client.
     *
     * @param peak resident memory
     * @param received bytes of answers
     * @param stored bytes of all files
     * @param names a hash of the hashes of all files
     */
    record Cost(
            @JsonProperty("cpu_s") double cpuSeconds,
            @JsonProperty("elapsed_s") double elapsedSeconds,
            @JsonProperty("peak_bytes") long peak,
            @JsonProperty("received_bytes") long received,
            @JsonProperty("stored_bytes") long stored,
            String names) {}

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final LongAdder received = new LongAdder();
    private final Plan plan;
    private final OffloadStore files;

    private OffloadClient(Plan plan, OffloadStore files) {
        this.plan = plan;
        this.files = files;
    }

    /** Runs a client by the plan in a file. */
    public static void main(String[] words) throws IOException, InterruptedException {
        Plan plan = JSON.readValue(Path.of(words[0]).toFile(), Plan.class);
        Path directory = Path.of(plan.directory());
        OffloadClient client = new OffloadClient(plan, OffloadStore.create(directory));
        System.out.println(JSON.writeValueAsString(client.run()));
    }

    private Cost run() throws IOException, InterruptedException {
        for (Wanted each : plan.before()) {
            pull(each);
        }
        received.reset();
        Duration cpu = processorTime();
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
        try {
            List<Future<?>> pulls = new ArrayList<>();
            for (Wanted each : plan.layers()) {
                pulls.add(threads.submit(() -> {
                    pull(each);
                    return true;
                }));
            }
            for (Future<?> each : pulls) {
                Object unused = each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a layer cannot be pulled", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        double elapsed = (System.nanoTime() - start) / 1e9;
        double used = processorTime().minus(cpu).toMillis() / 1e3;
        return new Cost(used, elapsed, peak(), received.sum(), files.bytes(), files.names());
    }

    private static Duration processorTime() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("the system does not tell a process's processor time"));
    }

    private static long peak() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow(() -> new IOException("no VmHWM in /proc/self/status: it needs Linux"));
    }

    private void pull(Wanted layer) throws IOException, InterruptedException {
        Digest digest = digest(layer.digest());
        if (plan.way() == Way.WHOLE) {
            whole(layer, digest);
        } else {
            lean(layer, digest);
        }
    }

    private static Digest digest(String text) throws IOException {
        try {
            return Digest.parse(text);
        } catch (OciException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private InputStream ask(String method, String path, BodyPublisher body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(plan.registry()).resolve(path))
                .method(method, body)
                .build();
        HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
        if (answer.statusCode() != OK) {
            answer.body().close();
            throw new IOException("%s %s: status %d".formatted(method, path, answer.statusCode()));
        }
        return answer.body();
    }

    /** Takes a body, and counts its bytes. */
    private interface Taker {
        void take(InputStream body) throws IOException;
    }

    private void take(InputStream answer, Taker taker) throws IOException {
        try (CountingInputStream body = new CountingInputStream(answer)) {
            taker.take(body);
            received.add(body.getCount());
        }
    }

    private void whole(Wanted layer, Digest digest) throws IOException, InterruptedException {
        Path blob = files.scratch();
        InputStream answer =
                ask("GET", "/v2/%s/blobs/%s".formatted(layer.repository(), digest), BodyPublishers.noBody());
        take(
                answer,
                body -> write(blob, digest, out -> {
                    byte[] buffer = new byte[BUFFER];
                    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                        out.write(buffer, 0, n);
                    }
                }));
        Path description = files.scratch();
        try (InputStream tar =
                        new BufferedInputStream(new GZIPInputStream(Files.newInputStream(blob), BUFFER), BUFFER);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(description), BUFFER)) {
            TarReader.read(tar, new Apart(out));
        }
        files.keep(layer.repository(), digest, description);
        Files.delete(blob);
    }

    /** Stores the files of a tar, and writes the rest to the description of a layer. */
    private final class Apart implements TarReader.Parts {
        private final OutputStream description;

        Apart(OutputStream description) {
            this.description = description;
        }

        @Override
        public void head(byte[] bytes, int offset, int length) throws IOException {
            description.write(bytes, offset, length);
        }

        @Override
        public void entry(TarEntry entry, InputStream bytes) throws IOException {
            if (entry.isContent() && entry.size() >= LEAST_CONTENT) {
                description.write(files.put(bytes, entry.size()).getBytes(StandardCharsets.US_ASCII));
            } else {
                description.write(bytes.readNBytes((int) entry.size()));
            }
        }

        @Override
        public void global(Iterable<String> keys) {
            // Their bytes are in the description already.
        }
    }

    private void lean(Wanted layer, Digest digest) throws IOException, InterruptedException {
        Path recipe = files.scratch();
        ClientFileList held = files.held();
        InputStream answer = ask(
                "POST",
                "/v2/%s/_packing/lean/%s".formatted(layer.repository(), digest),
                BodyPublishers.ofByteArray(held.body()));
        take(answer, body -> {
            try (InputStream lean = new BufferedInputStream(new ZstdInputStream(body), BUFFER)) {
                LeanLayerReader.receive(lean, layer.size(), recipe, files);
            }
        });
        if (!LeanLayerReader.missing(recipe, files).isEmpty()) {
            throw new IOException(
                    "files of %s are missing, though the registry was told what is here".formatted(digest));
        }
        if (plan.way() == Way.MADE) {
            Path blob = files.scratch();
            write(blob, digest, out -> LeanLayerReader.write(recipe, files, out));
            Files.delete(blob);
        }
        files.keep(layer.repository(), digest, recipe);
    }

    /** Writes bytes. */
    private interface Writer {
        void write(OutputStream out) throws IOException;
    }

    private static void write(Path file, Digest digest, Writer writer) throws IOException {
        try (HashingOutputStream out = new HashingOutputStream(Hashing.sha256(), Files.newOutputStream(file))) {
            writer.write(out);
            if (!out.hash().toString().equals(digest.hex())) {
                throw new IOException("layer %s came with other bytes".formatted(digest));
            }
        }
    }
}
