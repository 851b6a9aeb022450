// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.s3server.Faults;
import io.packing.s3server.S3Server;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two registries as processes, over a mount whose master, worker and store are processes too. Clients push and pull while registries
 * are killed, connections are cut, requests to the store fail, and files of the store and of the cache of layers are damaged.
 * {@code -Dpacking.rounds=N} makes N times as many requests.
 */
@Tag("hunt")
class RegistryProcessesIT {
    private static final int ROUNDS = 2 * Integer.getInteger("packing.rounds", 1);
    private static final int LANES = 3;
    private static final int STEPS = 150;
    private static final byte[] NOTHING = {};

    /** Files reach the store soon, and little of it is held in memory: damage there is met. */
    private static final Map<String, String> MOUNT = Map.of(
            "packing.seal.after",
            "1s",
            "packing.seal.quiet",
            "500ms",
            "packing.read.cache.bytes",
            "2MB",
            "packing.read.window.max.bytes",
            "2MB",
            "packing.durability",
            "buffered");

    private static void inject(EngineRig rig, Faults faults) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        rig.s3().endpoint().resolve(S3Server.FAULTS_PATH + "?" + faults.toQuery()))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Sends half of a chunk to a registry and kills it: the other one has all chunks before, and goes on. */
    private static void killWithinAChunk(
            RegistryPair registries, RegistryCaller caller, PushedModel model, int which, SplittableRandom random)
            throws IOException, InterruptedException {
        byte[] blob = new byte[random.nextInt(10, 200_000)];
        random.nextBytes(blob);
        int half = blob.length / 2;
        HttpResponse<byte[]> begun =
                caller.ask(which, "POST", "blobs/uploads/", NOTHING).orElseThrow();
        String upload = RegistryLane.uploadOf(begun);
        HttpResponse<byte[]> first =
                caller.ask(which, "PATCH", upload, Arrays.copyOf(blob, half)).orElseThrow();
        assertThat(first.statusCode()).isEqualTo(202);
        byte[] rest = Arrays.copyOfRange(blob, half, blob.length);
        try (Socket unused = caller.begin(which, "PATCH", upload, rest, rest.length / 2)) {
            registries.kill(which);
        }
        int other = 1 - which;
        HttpResponse<byte[]> status = caller.get(other, upload).orElseThrow();
        assertThat(status.statusCode()).isEqualTo(204);
        assertThat(RegistryLane.reached(status)).as("bytes of whole chunks").isEqualTo(half);
        String digest = RegistryCaller.digest(blob);
        assertThat(caller.get(other, "blobs/" + digest).orElseThrow().statusCode())
                .as("an upload that has not ended")
                .isEqualTo(404);
        HttpResponse<byte[]> end =
                caller.ask(other, "PUT", upload + "?digest=" + digest, rest).orElseThrow();
        assertThat(end.statusCode()).isEqualTo(201);
        model.counts.pushes.incrementAndGet();
        model.counts.resumed.incrementAndGet();
        model.acknowledge(blob);
    }

    private static boolean isPulled(
            RegistryCaller caller, PushedModel model, int registry, Map.Entry<String, byte[]> blob)
            throws IOException, InterruptedException {
        model.counts.pulls.incrementAndGet();
        Optional<HttpResponse<byte[]>> answer = caller.get(registry, "blobs/" + blob.getKey());
        if (answer.isEmpty() || answer.get().statusCode() != 200) {
            return false;
        }
        assertThat(answer.get().body()).as("bytes of %s", blob.getKey()).isEqualTo(blob.getValue());
        model.counts.whole.incrementAndGet();
        return true;
    }

    @Test
    void noWrongByteIsServedNothingIsHalfVisibleAndUploadsGoOnAtTheOtherRegistry() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        PushedModel model = new PushedModel();
        try (Workspace workspace = Workspace.create("packing-registries")) {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, MOUNT);
            RegistryPair registries = RegistryPair.start(workspace, rig);
            RegistryCaller caller = new RegistryCaller(registries);
            ExecutorService lanes = Executors.newFixedThreadPool(LANES);
            try {
                int damaged = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    List<Future<Integer>> busy = new ArrayList<>();
                    for (int i = 0; i < LANES; i++) {
                        busy.add(lanes.submit(new RegistryLane(caller, model, random.split(), STEPS)));
                    }
                    int victim = round % 2;
                    killWithinAChunk(registries, caller, model, victim, random.split());
                    StoredDamage damage = new StoredDamage(random.split());
                    damage.damage(rig.s3().objects(), "/blobs/", 0.5);
                    // Stays: what the cache puts in the place of a damaged file must not be damaged by its healing.
                    StoredDamage cacheDamage = new StoredDamage(random.split());
                    cacheDamage.damage(registries.cache(), "", 0.5);
                    damaged += damage.count() + cacheDamage.count();
                    inject(rig, new Faults(0.03, 0, 0.03, 0.02, 0, 0, Duration.ZERO, random.nextLong()));
                    registries.restart(victim);
                    for (Future<Integer> lane : busy) {
                        assertThat(lane.get()).isEqualTo(STEPS);
                    }
                    inject(rig, Faults.NONE);
                    damage.heal();
                }
                assertThat(damaged).as("damaged files").isPositive();
                for (Map.Entry<String, byte[]> each : model.acknowledged().entrySet()) {
                    // The first has a cache: of a damaged file there it gives nothing whole, and the next pull is
                    // right.
                    boolean sound = false;
                    for (int pull = 0; pull < 2 && !sound; pull++) {
                        sound = isPulled(caller, model, 0, each);
                    }
                    assertThat(sound).as("acknowledged %s", each.getKey()).isTrue();
                    assertThat(isPulled(caller, model, 1, each))
                            .as("acknowledged %s", each.getKey())
                            .isTrue();
                }
                System.out.printf("%s; %d damaged files%n", model.counts, damaged);
                assertThat(model.counts.whole.get()).isPositive();
                assertThat(model.counts.acknowledged.get()).isPositive();
            } finally {
                lanes.shutdownNow();
            }
        }
    }
}
