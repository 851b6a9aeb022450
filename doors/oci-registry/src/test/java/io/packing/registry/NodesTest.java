// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.placement.ReplicaMode;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.nodes.NodeList;
import io.packing.registry.nodes.NodeRole;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registries with stores of their own, three with whole layers and three with files; some stop, fill up, rot and come back. */
@Timeout(240)
class NodesTest {
    private static final Layout LAYOUT = new Layout(new FilePath("/registry"));

    @TempDir
    private Path home;

    private TestMount mount;
    private TestNodes nodes;
    private final SplittableRandom random = new SplittableRandom(Seed.value());
    private final List<byte[]> blobs = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        mount = TestMount.start(home.resolve("mount"));
        nodes = new TestNodes(home, mount);
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
        mount.close();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Pushes two layers that share files, one that is no tar, a configuration, and an empty blob. */
    private void pushAll(String through) throws Exception {
        byte[] shared = bytes(1_500_000);
        byte[] small = bytes(2_000);
        blobs.add(new TestTar()
                .file("shared", shared)
                .file("small", small)
                .file("own", bytes(70_000))
                .end());
        TestTar many = new TestTar().file("other", shared).file("small", small);
        for (int i = 0; i < 60; i++) {
            many.file("file-" + i, bytes(600 + random.nextInt(30_000)));
        }
        blobs.add(many.file("large", bytes(5_000_000)).end());
        blobs.add(TestTar.gzip(bytes(900_000)));
        blobs.add(bytes(300));
        blobs.add(new byte[0]);
        for (byte[] blob : blobs) {
            assertThat(nodes.client(through).push("a", blob).statusCode()).isEqualTo(201);
        }
        nodes.awaitPushed(through);
    }

    private boolean isInMount(byte[] blob) throws IOException {
        return mount.files().stat(LAYOUT.original(RegistryClient.digest(blob))).isPresent();
    }

    private void areGivenByAll(String when) throws Exception {
        for (String name : nodes.running()) {
            for (byte[] blob : blobs) {
                Digest digest = RegistryClient.digest(blob);
                HttpResponse<byte[]> answer = nodes.client(name).pull("a", digest);
                assertThat(answer.statusCode())
                        .as("%s: %s from %s", when, digest, name)
                        .isEqualTo(200);
                assertThat(answer.body())
                        .as("%s: %s from %s", when, digest, name)
                        .isEqualTo(blob);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"b0", "b1", "b2", "b3", "s"})
    void everyNodeGivesEveryBlobInEveryMode(String mode) throws Exception {
        nodes.startAll(mode);
        pushAll("d1");
        for (byte[] blob : blobs) {
            assertThat(isInMount(blob)).isFalse();
        }
        areGivenByAll(mode);
        int whole = ReplicaMode.named(mode).least(TestNodes.REPLICAS);
        long bytes = blobs.stream().mapToLong(blob -> blob.length).sum();
        assertThat(nodes.stored(NodeRole.PRIMARY)).isEqualTo(whole * bytes);
        // A file that two layers have is there once for each replica.
        assertThat(nodes.stored(NodeRole.DEDUP))
                .isLessThanOrEqualTo((TestNodes.REPLICAS - whole) * (bytes - 1_500_000))
                .isGreaterThanOrEqualTo((TestNodes.REPLICAS - whole) * (bytes - 1_700_000));
        HttpResponse<byte[]> range = nodes.client("p0")
                .get("/v2/a/blobs/" + RegistryClient.digest(blobs.get(1)), "Range", "bytes=1600000-1600099");
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(Arrays.copyOfRange(blobs.get(1), 1_600_000, 1_600_100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"b0", "b1", "b2"})
    void nodesThatStopAreReplacedByTheirBackupsAndThenByNewReplicas(String mode) throws Exception {
        nodes.startAll(mode);
        pushAll("p0");
        boolean oneSplit = mode.equals("b2");
        nodes.stop("p1");
        nodes.stop("p2");
        if (!oneSplit) {
            nodes.stop("d2");
        }
        areGivenByAll("two primary nodes and a dedup one are silent");
        if (oneSplit) {
            return;
        }
        if (mode.equals("b0")) {
            nodes.stop("d1");
            areGivenByAll("one dedup node of three is left");
            return;
        }
        JsonNode report = nodes.mend("p0");
        assertThat(report.path("silent")).hasSize(3);
        assertThat(report.path("failed").asLong()).isZero();
        nodes.stop("p0");
        nodes.stop("d0");
        areGivenByAll("all replicas are where they were made anew");
    }

    @Test
    void anOldDiskThatComesBackHarmsNobodyAndWhatIsTooMuchGoes() throws Exception {
        nodes.startAll("b1");
        pushAll("p0");
        String holder = holder();
        nodes.stop(holder);
        String other = holder.equals("p0") ? "p1" : "p0";
        assertThat(nodes.mend(other).path("whole_copies").asLong()).isPositive();
        nodes.start(holder, "b1", Long.MAX_VALUE, "");
        areGivenByAll("the old disk is back");
        long before = nodes.stored(NodeRole.PRIMARY);
        assertThat(nodes.mend(other).path("whole_deleted").asLong()).isPositive();
        assertThat(nodes.stored(NodeRole.PRIMARY)).isLessThan(before);
        areGivenByAll("what was too much is gone");
    }

    /** Returns the primary node with the most bytes: one of the blobs is empty, and may be the only one of another node. */
    private String holder() throws IOException {
        String holder = "p0";
        for (String name : nodes.list().names(NodeRole.PRIMARY)) {
            holder = nodes.layerBytes(name) > nodes.layerBytes(holder) ? name : holder;
        }
        return holder;
    }

    /** Else a layer that is mended often would be popular, and get more whole replicas. */
    @Test
    void whatIsReadToMendLayersIsNoPull() throws Exception {
        nodes.startAll("b1");
        pushAll("p0");
        Digest pulled = RegistryClient.digest(blobs.get(0));
        for (String through : List.of("d0", "p0")) {
            assertThat(nodes.client(through).pull("a", pulled).statusCode()).isEqualTo(200);
        }
        assertThat(nodes.client("d1")
                        .get("/v2/a/blobs/" + pulled, "Range", "bytes=0-99")
                        .statusCode())
                .isEqualTo(206);
        assertThat(nodes.client("d1")
                        .get("/v2/a/blobs/" + pulled, "Range", "bytes=100-")
                        .statusCode())
                .isEqualTo(206);
        assertThat(nodes.pulls()).isEqualTo(Map.of(pulled.toString(), 3L));
        String gone = holder();
        nodes.stop(gone);
        assertThat(nodes.mend("d0").path("whole_copies").asLong()).isPositive();
        Map<String, Long> after = new HashMap<>(nodes.pulls());
        // The counts of the lost node went with it.
        assertThat(after.remove(pulled.toString())).isBetween(2L, 3L);
        assertThat(after).as("layers that were mended").isEmpty();
    }

    /** The budget is 12 % of 25 MB. The layer that is pulled second most takes 7.5 MB. */
    @Test
    void aBudgetKeepsTheMostPulledLayersWholeThatFit() throws Exception {
        nodes.startAll("s12%");
        pushAll("p0");
        assertThat(nodes.stored(NodeRole.PRIMARY)).isZero();
        for (int blob : List.of(0, 0, 0, 1, 1, 2)) {
            Digest pulled = RegistryClient.digest(blobs.get(blob));
            assertThat(nodes.client("d1").pull("a", pulled).statusCode()).isEqualTo(200);
        }
        assertThat(nodes.mend("p1").path("whole_copies").asLong()).isEqualTo(2);
        assertThat(nodes.stored(NodeRole.PRIMARY)).isEqualTo(blobs.get(0).length + blobs.get(2).length);
        JsonNode again = nodes.mend("p1");
        assertThat(again.path("whole_copies").asLong()).isZero();
        assertThat(again.path("whole_deleted").asLong()).isZero();
        areGivenByAll("two layers are whole");
        nodes.stop(holder());
        nodes.stop("d0");
        areGivenByAll("a whole layer is gone, and a replica of its files");
    }

    @Test
    void aBudgetForWhichNoNodeHasRoomLosesNothing() throws Exception {
        for (NodeList.Member each : nodes.list().nodes()) {
            nodes.start(each.name(), "s12%", each.role() == NodeRole.PRIMARY ? 1_000 : Long.MAX_VALUE, "");
        }
        pushAll("p0");
        Digest pulled = RegistryClient.digest(blobs.get(0));
        assertThat(nodes.client("d1").pull("a", pulled).statusCode()).isEqualTo(200);
        JsonNode report = nodes.mend("p1");
        assertThat(report.path("failed").asLong()).as("it is told").isEqualTo(1);
        assertThat(nodes.stored(NodeRole.PRIMARY)).isZero();
        nodes.stop("d0");
        areGivenByAll("no layer is whole, and a replica of its files is gone");
    }

    @Test
    void aNodeWithoutRoomLeavesItsShareToTheOthers() throws Exception {
        for (NodeList.Member each : nodes.list().nodes()) {
            boolean isFull = each.name().equals("d0") || each.name().equals("p0");
            nodes.start(each.name(), "b1", isFull ? 1_000 : Long.MAX_VALUE, "");
        }
        pushAll("d0");
        for (byte[] blob : blobs) {
            assertThat(isInMount(blob)).isFalse();
        }
        areGivenByAll("two nodes are full");
        nodes.stop("d0");
        nodes.stop("p0");
        areGivenByAll("the full ones are gone");
    }

    @Test
    void aBlobStaysInTheMountUntilItHasAllReplicas() throws Exception {
        for (String name : List.of("p0", "p1", "p2", "d0")) {
            nodes.start(name, "b1", Long.MAX_VALUE, "");
        }
        pushAll("p0");
        assertThat(isInMount(blobs.get(0))).isTrue();
        areGivenByAll("one dedup node answers, and two are needed");
        nodes.start("d1", "b1", Long.MAX_VALUE, "");
        nodes.start("d2", "b1", Long.MAX_VALUE, "");
        awaitAnswers();
        assertThat(nodes.mend("d1").path("failed").asLong()).isZero();
        assertThat(isInMount(blobs.get(0))).isFalse();
        areGivenByAll("all answer");
    }

    /** Waits for all nodes: a node that was silent is left alone for some seconds. */
    private void awaitAnswers() throws Exception {
        while (nodes.mend("d1").path("silent").size() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void damagedDisksGiveNoWrongByte() throws Exception {
        nodes.startAll("b1");
        pushAll("p0");
        for (String name : nodes.list().names(NodeRole.PRIMARY)) {
            for (Path layer : nodes.files(name, "layers")) {
                damage(layer);
            }
        }
        for (Path file : nodes.files("d0", "files")) {
            damage(file);
        }
        for (byte[] blob : blobs) {
            Digest digest = RegistryClient.digest(blob);
            boolean isRight = false;
            for (int tries = 0; tries < 4 && !isRight; tries++) {
                try {
                    HttpResponse<byte[]> answer = nodes.client("d1").pull("a", digest);
                    // A small one is refused before its first byte.
                    isRight = answer.statusCode() == 200;
                    if (isRight) {
                        assertThat(answer.body()).isEqualTo(blob);
                    }
                } catch (IOException e) {
                    // Cut: the whole layer was wrong, and is gone now.
                    assertThat(e).isNotNull();
                }
            }
            assertThat(isRight).as("%s", digest).isTrue();
        }
        assertThat(nodes.scrub("p0").path("failed").asLong()).isZero();
        for (String name : nodes.list().names(NodeRole.PRIMARY)) {
            nodes.stop(name);
        }
        nodes.stop("d1");
        areGivenByAll("what was damaged is mended");
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 0) {
            bytes[bytes.length / 2] ^= 4;
            Files.write(file, bytes);
        }
    }

    @Test
    void whatNoBlobHasAnyMoreIsDeletedWhenItIsOld() throws Exception {
        nodes.startAll("b1");
        pushAll("p0");
        assertThat(nodes.mend("p0", "?garbage=0").path("garbage").asLong()).isZero();
        areGivenByAll("nothing was garbage");
        byte[] gone = blobs.remove(1);
        assertThat(mount.files()
                        .apply(new VectorBuilder()
                                .delete(LAYOUT.recipe(RegistryClient.digest(gone)))
                                .build()))
                .isInstanceOf(VectorResult.Applied.class);
        // The directory of the blob is there: a blob without bytes fails, and nothing is deleted.
        assertThat(nodes.mend("p0", "?garbage=0").path("garbage").asLong()).isZero();
        assertThat(mount.files()
                        .apply(new VectorBuilder()
                                .directory(LAYOUT.trash())
                                .rename(
                                        LAYOUT.blob(RegistryClient.digest(gone)),
                                        LAYOUT.trash().child("gone"),
                                        false)
                                .build()))
                .isInstanceOf(VectorResult.Applied.class);
        assertThat(nodes.mend("p0", "?garbage=86400000").path("garbage").asLong())
                .isZero();
        long before = nodes.stored(NodeRole.DEDUP);
        assertThat(nodes.mend("p0", "?garbage=0").path("garbage").asLong()).isPositive();
        assertThat(nodes.stored(NodeRole.DEDUP)).isLessThan(before - 5_000_000);
        areGivenByAll("what others share stayed");
    }
}
