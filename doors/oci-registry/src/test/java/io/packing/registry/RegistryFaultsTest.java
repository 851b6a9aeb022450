// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random pushes, pulls and deletions through two registries while the mount fails below them, against a model of
 * acknowledged blobs. No wrong byte is given out whole, and every acknowledged blob is there afterwards.
 */
@Tag("hunt")
class RegistryFaultsTest {
    private static final int ROUNDS = Integer.getInteger("packing.rounds", 1);
    private static final int STEPS = 400;
    private static final int SEEDS = 40;

    private final Map<Digest, byte[]> pushed = new HashMap<>();
    /** The possible manifests of each tag: the last acknowledged one, and those tried after it. */
    private final Map<String, Map<Digest, byte[]>> tags = new HashMap<>();

    /** Returns a tar of a few files that others have too, or just bytes. */
    private static byte[] blob(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        if (seed % 4 == 0) {
            byte[] bytes = new byte[random.nextInt(1, 400_000)];
            random.nextBytes(bytes);
            return bytes;
        }
        TestTar tar = new TestTar();
        for (int i = 0; i < 1 + seed % 7; i++) {
            byte[] content = new byte[1_000 + 9_000 * (i % 3)];
            new SplittableRandom(i + seed % 5).nextBytes(content);
            tar.file("f" + i, content);
        }
        return tar.end();
    }

    private void push(RegistryClient client, int seed) throws IOException, InterruptedException {
        byte[] blob = blob(seed);
        Digest digest = RegistryClient.digest(blob);
        if (seed % 3 == 0) {
            HttpResponse<byte[]> begun = client.ask("POST", "/v2/r/blobs/uploads/");
            if (begun.statusCode() == 202) {
                int half = blob.length / 2;
                String at = RegistryClient.location(begun);
                client.ask("PATCH", at, Arrays.copyOf(blob, half));
                HttpResponse<byte[]> end =
                        client.ask("PUT", at + "?digest=" + digest, Arrays.copyOfRange(blob, half, blob.length));
                if (end.statusCode() == 201) {
                    pushed.put(digest, blob);
                }
            }
        } else if (client.push("r", blob).statusCode() == 201) {
            pushed.put(digest, blob);
        }
    }

    /** Pulls a blob. A whole one has the digest; a cut connection is an exception of the client. */
    private static boolean pull(RegistryClient client, Digest digest, byte[] blob) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.pull("r", digest);
            if (answer.statusCode() == 200) {
                assertThat(RegistryClient.digest(answer.body())).isEqualTo(digest);
                assertThat(answer.body()).isEqualTo(blob);
                return true;
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }

    private void tag(RegistryClient client, String tag, int seed) throws IOException, InterruptedException {
        byte[] blob = blob(seed);
        byte[] manifest = RegistryClient.manifest(blob, blob);
        HttpResponse<byte[]> answer = client.tag("r", tag, manifest);
        Map<Digest, byte[]> possible = tags.computeIfAbsent(tag, unused -> new HashMap<>());
        if (answer.statusCode() == 201) {
            possible.clear();
        }
        if (answer.statusCode() == 201 || answer.statusCode() >= 500) {
            possible.put(RegistryClient.digest(manifest), manifest);
        }
    }

    @Test
    void noWrongByteIsServedAndNothingAcknowledgedIsLost(@TempDir Path home) throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        try (TestMount mount = TestMount.start(home)) {
            FaultyFiles files = new FaultyFiles(mount.files(), random.split());
            RegistryOptions config = RegistryOptions.local(new FilePath("/registry"));
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            try (RegistryServer one = RegistryServer.start(config, files, Access.OPEN, meters);
                    RegistryServer other = RegistryServer.start(config, files, Access.OPEN, meters)) {
                RegistryClient[] clients = {new RegistryClient(one.uri()), new RegistryClient(other.uri())};
                int whole = 0;
                for (int step = 0; step < STEPS * ROUNDS; step++) {
                    files.fail(step % 100 < 60 ? 0.03 : 0);
                    RegistryClient client = clients[random.nextInt(2)];
                    int seed = random.nextInt(SEEDS);
                    byte[] blob = blob(seed);
                    switch (random.nextInt(4)) {
                        case 0 -> push(client, seed);
                        case 1 -> tag(client, "t" + seed % 3, seed);
                        default -> whole += pull(client, RegistryClient.digest(blob), blob) ? 1 : 0;
                    }
                }
                assertThat(whole).as("pulls that came through").isPositive();
                files.fail(0);
                for (Map.Entry<Digest, byte[]> each : pushed.entrySet()) {
                    assertThat(pull(clients[0], each.getKey(), each.getValue()))
                            .as("acknowledged %s", each.getKey())
                            .isTrue();
                }
                for (Map.Entry<String, Map<Digest, byte[]>> tag : tags.entrySet()) {
                    HttpResponse<byte[]> answer = clients[1].get("/v2/r/manifests/" + tag.getKey());
                    if (!tag.getValue().isEmpty() && answer.statusCode() == 200) {
                        assertThat(tag.getValue()).containsKey(RegistryClient.digest(answer.body()));
                    }
                }
            }
        }
    }
}
