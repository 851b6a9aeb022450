// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/** One client of two registries with requests from a seed, while registries die. Confined to one thread. */
final class RegistryLane implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = {};
    private static final String DIGEST = "?digest=";
    /** The number of searches for a broken upload, at both registries by turns. */
    private static final int TRIES = 6;

    private final RegistryCaller caller;
    private final PushedModel model;
    private final SplittableRandom random;
    private final int steps;

    RegistryLane(RegistryCaller caller, PushedModel model, SplittableRandom random, int steps) {
        this.caller = caller;
        this.model = model;
        this.random = random;
        this.steps = steps;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (int i = 0; i < steps; i++) {
            step();
        }
        return steps;
    }

    private void step() throws IOException, InterruptedException {
        int registry = random.nextInt(2);
        byte[] blob = PushedModel.blob(random.nextInt(PushedModel.SEEDS));
        String digest = RegistryCaller.digest(blob);
        switch (random.nextInt(10)) {
            case 0, 1 -> push(registry, blob);
            case 2, 3 -> pushInChunks(registry, blob);
            case 4 -> tag(registry, "t" + random.nextInt(PushedModel.TAGS), blob);
            case 5 -> image(registry, "t" + random.nextInt(PushedModel.TAGS));
            case 6 -> {
                model.counts.cuts.incrementAndGet();
                caller.cutPull(registry, digest, random.nextInt(blob.length));
            }
            case 7 -> halfPush(registry);
            default -> {
                boolean unused = pull(registry, digest, blob);
            }
        }
    }

    private void push(int registry, byte[] blob) throws IOException, InterruptedException {
        model.counts.pushes.incrementAndGet();
        Optional<HttpResponse<byte[]>> answer =
                caller.ask(registry, "POST", "blobs/uploads/" + DIGEST + RegistryCaller.digest(blob), blob);
        if (answer.isPresent() && isDone(answer.get(), 201)) {
            model.acknowledge(blob);
        }
    }

    /** Returns whether the request succeeded; a failure must be the registry's, and no claim about the bytes. */
    private static boolean isDone(HttpResponse<byte[]> answer, int status) {
        if (answer.statusCode() != status) {
            assertThat(answer.statusCode())
                    .as("%s: %s", answer.request().uri(), new String(answer.body(), StandardCharsets.UTF_8))
                    .isGreaterThanOrEqualTo(500);
        }
        return answer.statusCode() == status;
    }

    private void pushInChunks(int registry, byte[] blob) throws IOException, InterruptedException {
        Optional<HttpResponse<byte[]>> begun = caller.ask(registry, "POST", "blobs/uploads/", NOTHING);
        if (begun.isEmpty() || !isDone(begun.get(), 202)) {
            return;
        }
        model.counts.pushes.incrementAndGet();
        if (finish(registry, uploadOf(begun.get()), blob, 0)) {
            model.acknowledge(blob);
        }
    }

    /** Returns the path at which an upload goes on, below the repository. */
    static String uploadOf(HttpResponse<byte[]> begun) {
        String location =
                URI.create(begun.headers().firstValue("Location").orElseThrow()).getPath();
        return location.substring(location.indexOf("blobs/uploads/"));
    }

    /**
     * Sends the rest of an upload in chunks to one registry and the other in turn, and where one breaks asks the other how far it
     * is; false: neither said.
     */
    private boolean finish(int first, String upload, byte[] blob, int from) throws IOException, InterruptedException {
        int registry = first;
        int offset = from;
        boolean broke = false;
        for (int tries = 0; tries < TRIES; ) {
            int end = Math.min(blob.length, offset + 1 + blob.length / 3);
            boolean last = end == blob.length;
            byte[] chunk = Arrays.copyOfRange(blob, offset, end);
            Optional<HttpResponse<byte[]>> answer = last
                    ? caller.ask(registry, "PUT", upload + DIGEST + RegistryCaller.digest(blob), chunk)
                    : caller.ask(registry, "PATCH", upload, chunk, "Content-Range", offset + "-" + (end - 1));
            registry = 1 - registry;
            if (answer.isPresent() && answer.get().statusCode() == (last ? 201 : 202)) {
                offset = end;
                if (last) {
                    model.counts.resumed.addAndGet(broke ? 1 : 0);
                    return true;
                }
                continue;
            }
            tries++;
            broke = true;
            Optional<HttpResponse<byte[]>> status = caller.get(registry, upload);
            if (status.isPresent() && status.get().statusCode() == 204) {
                offset = reached(status.get());
            } else if (status.isPresent() && status.get().statusCode() == 404) {
                // It may have ended without the answer having come.
                return false;
            }
        }
        return false;
    }

    /** Bytes that a registry says an upload has. */
    static int reached(HttpResponse<byte[]> status) {
        String range = status.headers().firstValue("Range").orElseThrow();
        int last = Integer.parseInt(range.substring(range.indexOf('-') + 1));
        return last == 0 ? 0 : last + 1;
    }

    /** Pulls a blob; whatever comes whole has the digest, and what was acknowledged before is never said to be unknown. */
    private boolean pull(int registry, String digest, byte[] blob) throws IOException, InterruptedException {
        boolean known = model.isAcknowledged(digest);
        model.counts.pulls.incrementAndGet();
        Optional<HttpResponse<byte[]>> answer = caller.get(registry, "blobs/" + digest);
        if (answer.isEmpty()) {
            return false;
        }
        if (answer.get().statusCode() == 404) {
            assertThat(known)
                    .as("unknown is %s, which was acknowledged", digest)
                    .isFalse();
            return false;
        }
        if (!isDone(answer.get(), 200)) {
            return false;
        }
        assertThat(answer.get().body()).as("bytes of %s", digest).isEqualTo(blob);
        model.counts.whole.incrementAndGet();
        return true;
    }

    private void tag(int registry, String tag, byte[] blob) throws IOException, InterruptedException {
        byte[] manifest = PushedModel.manifest(blob);
        model.tries(tag, RegistryCaller.digest(manifest));
        boolean known = model.isAcknowledged(RegistryCaller.digest(blob));
        model.counts.pushes.incrementAndGet();
        Optional<HttpResponse<byte[]>> answer =
                caller.ask(registry, "PUT", "manifests/" + tag, manifest, "Content-Type", RegistryLoad.MANIFEST);
        if (answer.isPresent() && answer.get().statusCode() == 404) {
            assertThat(known).as("the blob of %s is unknown", tag).isFalse();
        } else if (answer.isPresent() && isDone(answer.get(), 201)) {
            model.counts.acknowledged.incrementAndGet();
        }
    }

    /** Checks that a client tried to put a visible tag, and that its layer is there. */
    private void image(int registry, String tag) throws IOException, InterruptedException {
        model.counts.pulls.incrementAndGet();
        Optional<HttpResponse<byte[]>> answer =
                caller.get(registry, "manifests/" + tag, "Accept", RegistryLoad.MANIFEST);
        if (answer.isEmpty() || answer.get().statusCode() == 404 || !isDone(answer.get(), 200)) {
            return;
        }
        model.counts.whole.incrementAndGet();
        byte[] manifest = answer.get().body();
        assertThat(model.wasTried(tag, RegistryCaller.digest(manifest)))
                .as("what %s names was put there", tag)
                .isTrue();
        String layer =
                JSON.readTree(manifest).path("layers").path(0).path("digest").asText();
        model.counts.pulls.incrementAndGet();
        Optional<HttpResponse<byte[]>> blob = caller.get(1 - registry, "blobs/" + layer);
        if (blob.isPresent() && isDone(blob.get(), 200)) {
            assertThat(RegistryCaller.digest(blob.get().body())).isEqualTo(layer);
            model.counts.whole.incrementAndGet();
        }
    }

    /** A push whose connection is cut in its middle leaves nothing that can be seen. */
    private void halfPush(int registry) throws IOException, InterruptedException {
        byte[] blob = new byte[random.nextInt(2, 300_000)];
        random.nextBytes(blob);
        String digest = RegistryCaller.digest(blob);
        model.counts.cuts.incrementAndGet();
        caller.cut(
                registry,
                "POST",
                "blobs/uploads/" + DIGEST + digest,
                blob,
                random.nextInt(blob.length),
                random.nextBoolean());
        for (int each = 0; each < 2; each++) {
            Optional<HttpResponse<byte[]>> answer = caller.get(each, "blobs/" + digest);
            if (answer.isPresent()) {
                assertThat(isDone(answer.get(), 404)).as("half of a push").isTrue();
            }
        }
    }
}
