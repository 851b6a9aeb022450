// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import com.google.common.hash.Hashing;
import io.packing.blob.FilePath;
import io.packing.chaos.run.Counts;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.registry.files.MountFiles;
import io.packing.rig.EngineRig;
import io.packing.worker.api.MountOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A client of the registry that pushes images, and starts containers of the first one. Confined to one thread at a
 * time; stays from round to round.
 */
final class Images {
    private static final String TYPE = "application/vnd.oci.image.manifest.v1+json";
    private static final int FILES = 30;
    private static final int LONGEST = 60_000;
    private static final int BLOCK = 512;
    private static final int TRIES = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final FuseProcesses site;
    private final Counts counts;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /** The manifests that the registry acknowledged, by tag. */
    private final Map<String, byte[]> taken = new TreeMap<>();
    /** The files of the image from which containers start. */
    private final Map<String, byte[]> files = new TreeMap<>();

    private int pushed;
    private int containers;

    Images(FuseProcesses site, Counts counts) {
        this.site = site;
        this.counts = counts;
    }

    /** Pushes the image from which containers start, before any kill. */
    void pushFirst(Random random) throws IOException, InterruptedException {
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = new byte[random.nextInt(1, LONGEST)];
            random.nextBytes(bytes);
            files.put("f" + i, bytes);
        }
        push("first", files);
    }

    /** Pushes an image of one file, and counts the acknowledgement or the failure. */
    void push(Random random) throws InterruptedException {
        byte[] bytes = new byte[random.nextInt(1, LONGEST)];
        random.nextBytes(bytes);
        String tag = "t" + pushed++;
        try {
            push(tag, Map.of("only", bytes));
            counts.add("pushes_acknowledged");
        } catch (IOException e) {
            counts.add("pushes_failed");
        }
    }

    private void push(String tag, Map<String, byte[]> content) throws IOException, InterruptedException {
        byte[] layer = tar(content);
        byte[] config =
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\"]}}"
                        .formatted(digest(layer))
                        .getBytes(StandardCharsets.UTF_8);
        byte[] manifest = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                .formatted(
                        TYPE,
                        descriptor("application/vnd.oci.image.config.v1+json", config),
                        descriptor("application/vnd.oci.image.layer.v1.tar", layer))
                .getBytes(StandardCharsets.UTF_8);
        for (byte[] blob : List.of(layer, config)) {
            send("POST", "blobs/uploads/?digest=" + digest(blob), "application/octet-stream", blob, 201);
        }
        send("PUT", "manifests/" + tag, TYPE, manifest, 201);
        taken.put(tag, manifest);
    }

    private static String descriptor(String type, byte[] blob) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(type, digest(blob), blob.length);
    }

    private static String digest(byte[] bytes) {
        return "sha256:" + Hashing.sha256().hashBytes(bytes);
    }

    /** Makes a tar of regular files. */
    private static byte[] tar(Map<String, byte[]> content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content.forEach((name, bytes) -> {
            byte[] header = new byte[BLOCK];
            put(header, 0, name);
            put(header, 100, "0000644");
            put(header, 108, "0000000");
            put(header, 116, "0000000");
            put(header, 124, "%011o".formatted(bytes.length));
            put(header, 136, "%011o".formatted(1_000_000_000));
            put(header, 148, "        ");
            put(header, 156, "0");
            put(header, 257, "ustar");
            put(header, 263, "00");
            int sum = 0;
            for (byte each : header) {
                sum += each & 0xff;
            }
            put(header, 148, "%06o\0 ".formatted(sum));
            out.writeBytes(header);
            out.writeBytes(bytes);
            out.writeBytes(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
        });
        out.writeBytes(new byte[2 * BLOCK]);
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private byte[] send(String method, String path, String type, byte[] body, int wanted)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://%s/v2/app/%s".formatted(site.registry(), path)))
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .header("Accept", type)
                .timeout(PATIENCE)
                .build();
        HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
        if (answer.statusCode() != wanted) {
            throw new IOException("%s %s: %d".formatted(method, path, answer.statusCode()));
        }
        return answer.body();
    }

    /**
     * Creates a container, and reads all files of its root: the most that a start does. A failed create is repeated.
     */
    List<String> start(EngineRig.Client client, Path roots) throws IOException, InterruptedException {
        MountFiles through = new MountFiles(client.mount(), MountOptions.from(site.options()));
        try (OpenRegistry registry = new OpenRegistry(through, new FilePath(FuseProcesses.REGISTRY))) {
            Containers all = new Containers(registry, client.mount().bdt());
            for (int i = 0; ; i++) {
                String name = "c" + containers++;
                try {
                    FilePath root = all.create(
                            name,
                            ImageName.parse(site.registry() + "/app:first").orElseThrow());
                    List<String> wrong = read(roots.resolve(name).resolve(root.name()));
                    counts.add("starts");
                    return wrong;
                } catch (IOException e) {
                    counts.add("starts_failed");
                    if (i == TRIES) {
                        throw e;
                    }
                }
            }
        }
    }

    private List<String> read(Path root) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!Arrays.equals(Files.readAllBytes(root.resolve(file.getKey())), file.getValue())) {
                wrong.add("%s of a container has other bytes".formatted(root.resolve(file.getKey())));
            }
        }
        return wrong;
    }

    /** Checks the images that the registry acknowledged, and returns the failures. */
    List<String> wrong() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        counts.add("images_checked", taken.size());
        for (Map.Entry<String, byte[]> image : taken.entrySet()) {
            try {
                if (!Arrays.equals(
                        send("GET", "manifests/" + image.getKey(), TYPE, new byte[0], 200), image.getValue())) {
                    wrong.add("the image %s has another manifest".formatted(image.getKey()));
                }
            } catch (IOException e) {
                wrong.add("the acknowledged image %s cannot be pulled: %s".formatted(image.getKey(), e));
            }
        }
        return wrong;
    }
}
