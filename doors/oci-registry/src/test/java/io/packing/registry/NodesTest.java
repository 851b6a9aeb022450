package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.placement.ReplicaMode;
import io.packing.registry.access.Access;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.nodes.NodeConfig;
import io.packing.registry.nodes.NodeList;
import io.packing.registry.nodes.NodeRole;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registries with stores of their own, three with whole layers and three with files, of which some stop, fill up, rot and come back. */
@Timeout(240)
class NodesTest {
    private static final Layout LAYOUT = new Layout(new FilePath("/registry"));
    private static final int REPLICAS = 3;

    @TempDir
    private Path home;

    private TestMount mount;
    private NodeList list = new NodeList(List.of());
    private final Map<String, RegistryServer> running = new LinkedHashMap<>();
    private final SplittableRandom random = new SplittableRandom(Seed.value());
    private final List<byte[]> blobs = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        mount = TestMount.start(home.resolve("mount"));
        List<NodeList.Member> members = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            members.add(new NodeList.Member("p" + i, NodeRole.PRIMARY, free()));
            members.add(new NodeList.Member("d" + i, NodeRole.DEDUP, free()));
        }
        list = new NodeList(members);
    }

    private static URI free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    @AfterEach
    void close() throws IOException {
        for (String name : List.copyOf(running.keySet())) {
            stop(name);
        }
        mount.close();
    }

    private Path directory(String name) {
        return home.resolve("node-" + name);
    }

    private void start(String name, String mode, long capacity, String key) throws IOException {
        NodeConfig self = new NodeConfig(name, list, directory(name), capacity, REPLICAS, ReplicaMode.named(mode), key);
        URI uri = uri(name);
        running.put(
                name,
                RegistryServer.start(
                        TestRegistries.config("/registry", true)
                                .withAddress("127.0.0.1", uri.getPort())
                                .withNode(Optional.of(self)),
                        mount.files(),
                        Access.OPEN,
                        new SimpleMeterRegistry()));
    }

    private URI uri(String name) {
        return list.nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .uri();
    }

    private void startAll(String mode) throws IOException {
        for (NodeList.Member each : list.nodes()) {
            start(each.name(), mode, Long.MAX_VALUE, "");
        }
    }

    private void stop(String name) throws IOException {
        Optional.ofNullable(running.remove(name)).orElseThrow().close();
    }

    private RegistryClient client(String name) {
        return new RegistryClient(uri(name));
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Two layers that share files, one that is no tar, a configuration, and nothing. */
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
            assertThat(client(through).push("a", blob).statusCode()).isEqualTo(201);
        }
        Optional.ofNullable(running.get(through)).orElseThrow().awaitPushed();
    }

    private boolean isInMount(byte[] blob) throws IOException {
        return mount.files().stat(LAYOUT.original(RegistryClient.digest(blob))).isPresent();
    }

    private void areGivenByAll(String when) throws Exception {
        for (String name : running.keySet()) {
            for (byte[] blob : blobs) {
                Digest digest = RegistryClient.digest(blob);
                HttpResponse<byte[]> answer = client(name).pull("a", digest);
                assertThat(answer.statusCode())
                        .as("%s: %s from %s", when, digest, name)
                        .isEqualTo(200);
                assertThat(answer.body())
                        .as("%s: %s from %s", when, digest, name)
                        .isEqualTo(blob);
            }
        }
    }

    private JsonNode mend(String name) throws Exception {
        return mend(name, "");
    }

    private JsonNode mend(String name, String query) throws Exception {
        HttpResponse<byte[]> answer = client(name).ask("POST", "/_packing/node/mend" + query, new byte[0]);
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body()).path("report");
    }

    private JsonNode scrub(String name) throws Exception {
        return mend(name, "?scrub=true");
    }

    private List<Path> files(String name, String kind) throws IOException {
        try (Stream<Path> all = Files.walk(directory(name))) {
            return all.filter(Files::isRegularFile)
                    .filter(each -> each.toString().contains("/" + kind + "/"))
                    .toList();
        }
    }

    private long stored(NodeRole role) throws IOException {
        long bytes = 0;
        for (String name : list.names(role)) {
            for (Path file : files(name, role == NodeRole.PRIMARY ? "layers" : "files")) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"b0", "b1", "b2", "b3", "s"})
    void everyNodeGivesEveryBlobInEveryMode(String mode) throws Exception {
        startAll(mode);
        pushAll("d1");
        for (byte[] blob : blobs) {
            assertThat(isInMount(blob)).isFalse();
        }
        areGivenByAll(mode);
        int whole = ReplicaMode.named(mode).intact(REPLICAS, 0);
        long bytes = blobs.stream().mapToLong(blob -> blob.length).sum();
        assertThat(stored(NodeRole.PRIMARY)).isEqualTo(whole * bytes);
        // A file that two layers have is there once for each replica.
        assertThat(stored(NodeRole.DEDUP))
                .isLessThanOrEqualTo((REPLICAS - whole) * (bytes - 1_500_000))
                .isGreaterThanOrEqualTo((REPLICAS - whole) * (bytes - 1_700_000));
        HttpResponse<byte[]> range = client("p0")
                .get("/v2/a/blobs/" + RegistryClient.digest(blobs.get(1)), "Range", "bytes=1600000-1600099");
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(Arrays.copyOfRange(blobs.get(1), 1_600_000, 1_600_100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"b0", "b1", "b2"})
    void nodesThatStopAreReplacedByTheirBackupsAndThenByNewReplicas(String mode) throws Exception {
        startAll(mode);
        pushAll("p0");
        boolean oneSplit = mode.equals("b2");
        stop("p1");
        stop("p2");
        if (!oneSplit) {
            stop("d2");
        }
        areGivenByAll("two primary nodes and a dedup one are silent");
        if (oneSplit) {
            return;
        }
        if (mode.equals("b0")) {
            stop("d1");
            areGivenByAll("one dedup node of three is left");
            return;
        }
        JsonNode report = mend("p0");
        assertThat(report.path("silent")).hasSize(3);
        assertThat(report.path("failed").asLong()).isZero();
        stop("p0");
        stop("d0");
        areGivenByAll("all replicas are where they were made anew");
    }

    @Test
    void anOldDiskThatComesBackHarmsNobodyAndWhatIsTooMuchGoes() throws Exception {
        startAll("b1");
        pushAll("p0");
        String holder = "";
        for (String name : list.names(NodeRole.PRIMARY)) {
            holder = files(name, "layers").isEmpty() ? holder : name;
        }
        stop(holder);
        String other = holder.equals("p0") ? "p1" : "p0";
        assertThat(mend(other).path("whole_copies").asLong()).isPositive();
        long before = stored(NodeRole.PRIMARY);
        start(holder, "b1", Long.MAX_VALUE, "");
        areGivenByAll("the old disk is back");
        assertThat(mend(other).path("whole_deleted").asLong()).isPositive();
        assertThat(stored(NodeRole.PRIMARY)).isLessThan(before);
        areGivenByAll("what was too much is gone");
    }

    @Test
    void aNodeWithoutRoomLeavesItsShareToTheOthers() throws Exception {
        for (NodeList.Member each : list.nodes()) {
            boolean isFull = each.name().equals("d0") || each.name().equals("p0");
            start(each.name(), "b1", isFull ? 1_000 : Long.MAX_VALUE, "");
        }
        pushAll("d0");
        for (byte[] blob : blobs) {
            assertThat(isInMount(blob)).isFalse();
        }
        areGivenByAll("two nodes are full");
        stop("d0");
        stop("p0");
        areGivenByAll("the full ones are gone");
    }

    @Test
    void aBlobStaysInTheMountUntilItHasAllReplicas() throws Exception {
        for (String name : List.of("p0", "p1", "p2", "d0")) {
            start(name, "b1", Long.MAX_VALUE, "");
        }
        pushAll("p0");
        assertThat(isInMount(blobs.get(0))).isTrue();
        areGivenByAll("one dedup node answers, and two are needed");
        start("d1", "b1", Long.MAX_VALUE, "");
        start("d2", "b1", Long.MAX_VALUE, "");
        awaitAnswers();
        assertThat(mend("d1").path("failed").asLong()).isZero();
        assertThat(isInMount(blobs.get(0))).isFalse();
        areGivenByAll("all answer");
    }

    /** A node that was silent is left alone for some seconds. */
    private void awaitAnswers() throws Exception {
        while (mend("d1").path("silent").size() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void damagedDisksGiveNoWrongByte() throws Exception {
        startAll("b1");
        pushAll("p0");
        for (String name : list.names(NodeRole.PRIMARY)) {
            for (Path layer : files(name, "layers")) {
                damage(layer);
            }
        }
        for (Path file : files("d0", "files")) {
            damage(file);
        }
        for (byte[] blob : blobs) {
            Digest digest = RegistryClient.digest(blob);
            boolean isRight = false;
            for (int tries = 0; tries < 4 && !isRight; tries++) {
                try {
                    HttpResponse<byte[]> answer = client("d1").pull("a", digest);
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
        assertThat(scrub("p0").path("failed").asLong()).isZero();
        for (String name : list.names(NodeRole.PRIMARY)) {
            stop(name);
        }
        stop("d1");
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
        startAll("b1");
        pushAll("p0");
        assertThat(mend("p0", "?garbage=0").path("garbage").asLong()).isZero();
        areGivenByAll("nothing was garbage");
        byte[] gone = blobs.remove(1);
        assertThat(mount.files()
                        .apply(new VectorBuilder()
                                .delete(LAYOUT.recipe(RegistryClient.digest(gone)))
                                .build()))
                .isInstanceOf(VectorResult.Applied.class);
        // The directory of the blob is there: what was a blob without bytes fails, and nothing is deleted.
        assertThat(mend("p0", "?garbage=0").path("garbage").asLong()).isZero();
        assertThat(mount.files()
                        .apply(new VectorBuilder()
                                .directory(LAYOUT.trash())
                                .rename(
                                        LAYOUT.blob(RegistryClient.digest(gone)),
                                        LAYOUT.trash().child("gone"),
                                        false)
                                .build()))
                .isInstanceOf(VectorResult.Applied.class);
        assertThat(mend("p0", "?garbage=86400000").path("garbage").asLong()).isZero();
        long before = stored(NodeRole.DEDUP);
        assertThat(mend("p0", "?garbage=0").path("garbage").asLong()).isPositive();
        assertThat(stored(NodeRole.DEDUP)).isLessThan(before - 5_000_000);
        areGivenByAll("what others share stayed");
    }

    @Test
    void strangersAreNoNodes() throws Exception {
        start("p0", "b1", Long.MAX_VALUE, "a secret of all nodes");
        RegistryClient client = client("p0");
        assertThat(client.get("/_packing/node/status").statusCode()).isEqualTo(403);
        assertThat(client.get("/_packing/node/status", "Packing-Node-Key", "another secret")
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.get("/_packing/node/status", "Packing-Node-Key", "a secret of all nodes")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatNoNodeMeansIsRefused() throws Exception {
        start("d0", "b1", 10_000, "");
        RegistryClient client = client("d0");
        String wrong = "layers/" + RegistryClient.digest(new byte[1]);
        assertThat(client.ask("PUT", "/_packing/node/" + wrong, new byte[2]).statusCode())
                .isEqualTo(500);
        assertThat(client.get("/_packing/node/" + wrong).statusCode()).isEqualTo(404);
        assertThat(client.get("/_packing/node/layers/../../etc").statusCode()).isIn(400, 404);
        assertThat(client.ask("PUT", "/_packing/node/" + wrong, new byte[20_000])
                        .statusCode())
                .isEqualTo(507);
        assertThat(client.ask("POST", "/_packing/node/levels", new byte[33]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("POST", "/_packing/node/slice", new byte[51]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("PUT", "/_packing/node/files", new byte[500]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("POST", "/_packing/node/nothing", new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(files("d0", "incoming")).isEmpty();
        assertThatThrownBy(() -> new NodeConfig("d0", list, home, 1, 4, ReplicaMode.named("b0"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 whole and 4 split replicas");
    }
}
