// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.seed.Seed;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A test of packing mounts in a real Alluxio: a master, two workers and the job service, with the users' extension jar.
 */
@Tag("cluster")
class PackingMountIT {
    @TempDir
    static Path home;

    private static @Nullable PackingCluster running;

    @BeforeAll
    static void start() throws Exception {
        running = PackingCluster.start(home);
        mount("/small", "store-1", Map.of("packing.seal.after", "1h", "packing.seal.quiet", "0s"));
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
    }

    private static PackingCluster cluster() {
        return Objects.requireNonNull(running);
    }

    private static void mount(String path, String store, Map<String, String> more) throws Exception {
        cluster().mount(path, cluster().storing(store, more));
    }

    private static void flush(String store) throws IOException {
        cluster().flush(cluster().storing(store, Map.of()));
    }

    private static FileStatus stat(String path) throws IOException {
        return cluster().stat(cluster().storing("store-1", Map.of()), path);
    }

    private static FileStatus.State state(String path) throws IOException {
        return stat(path).state();
    }

    private static void load(ClusterLoadSpec spec) throws Exception {
        cluster().load(spec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"THROUGH", "CACHE_THROUGH"})
    void filesAreReadThroughTheOtherWorkerWhileBufferedAndAfterwards(String writeType) throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/" + writeType, 100, 8192, 8, writeType);
        load(write);
        assertThat(state("/small/" + writeType + "/00000007")).isEqualTo(FileStatus.State.BUFFERED);
        load(write.readBack());
        flush("store-1");
        assertThat(state("/small/" + writeType + "/00000007")).isEqualTo(FileStatus.State.PACKED);
        load(write.readBack());
    }

    @Test
    void asynchronousPersistsGoToTheNodesPackingWorker() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/async", 10, 8192, 2, "ASYNC_THROUGH");
        load(write);
        cluster().shell("persist", "/small/async");
        assertThat(state("/small/async/00000003")).isEqualTo(FileStatus.State.BUFFERED);
        load(write.readBack());
    }

    @Test
    void emptyLargeAndOddlyNamedFilesComeBackAsTheyWere() throws Exception {
        byte[] large = new byte[20 << 20];
        Seed.random().nextBytes(large);
        cluster().shell("mkdir", "/small/odd");
        Map<String, byte[]> files = Map.of("empty", new byte[0], "grösse 100% 漢字", new byte[] {120}, "large", large);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path local = Files.write(home.resolve("local"), file.getValue());
            cluster().shell("copyFromLocal", local.toString(), "/small/odd/" + file.getKey());
        }
        cluster().shell("persist", "/small/odd");
        flush("store-1");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            cluster().shell("free", "/small/odd/" + file.getKey());
            Path back = home.resolve("back");
            Files.deleteIfExists(back);
            cluster().shell("copyToLocal", "/small/odd/" + file.getKey(), back.toString());
            assertThat(back).as(file.getKey()).hasBinaryContent(file.getValue());
        }
    }

    @Test
    void treesAreListedRenamedAndDeleted() throws Exception {
        load(ClusterLoadSpec.write("/small/tree/a", 5, 100, 2, "THROUGH"));
        cluster().shell("mkdir", "/small/tree/empty");
        assertThat(cluster().shell("ls", "/small/tree")).hasSize(2);
        cluster().shell("mv", "/small/tree/a", "/small/tree/b");
        cluster().shell("mv", "/small/tree/b/00000001", "/small/tree/empty/moved");
        assertThat(cluster().shell("ls", "-f", "/small/tree/b")).hasSize(4);
        assertThat(state("/small/tree/empty/moved")).isEqualTo(FileStatus.State.BUFFERED);
        cluster().shell("rm", "-R", "/small/tree/b");
        assertThatThrownBy(() -> cluster().shell("ls", "-f", "/small/tree/b")).isInstanceOf(IOException.class);
        assertThat(cluster().shell("ls", "-f", "/small/tree")).hasSize(1);
        flush("store-1");
        assertThat(state("/small/tree/empty/moved")).isEqualTo(FileStatus.State.PACKED);
    }

    @Test
    void anOverwrittenFileHasItsNewBytesWhereverTheOldOnesWere() throws Exception {
        ClusterLoadSpec first = ClusterLoadSpec.write("/small/overwritten", 10, 5_000, 2, "THROUGH");
        load(first);
        ClusterLoadSpec second = first.withSeed(2);
        load(second.then(ClusterLoadSpec.Action.OVERWRITE));
        load(second.readBack());
        flush("store-1");
        ClusterLoadSpec third = first.withSeed(3);
        load(third.then(ClusterLoadSpec.Action.OVERWRITE));
        load(third.readBack());
        flush("store-1");
        load(third.readBack());
    }

    @Test
    void filesAreReadAtAnyPositionWhileBufferedAndAfterwards() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/positions", 10, 300_000, 2, "THROUGH");
        load(write);
        load(write.then(ClusterLoadSpec.Action.SEEK));
        flush("store-1");
        load(write.then(ClusterLoadSpec.Action.SEEK));
    }

    @Test
    void aForcedMetadataSyncFindsAPushedFileAsItWasAndKeepsItsCachedBlocks() throws Exception {
        load(ClusterLoadSpec.write("/small/synced", 3, 1_000, 1, "CACHE_THROUGH"));
        List<String> before = cluster().shell("ls", "/small/synced");
        assertThat(before).hasSize(3).allMatch(line -> line.contains("100%"));
        flush("store-1");
        cluster().shell("loadMetadata", "-R", "-F", "/small/synced");
        assertThat(cluster().shell("ls", "/small/synced")).isEqualTo(before);
    }

    private static void beside(Operation operation) throws IOException {
        try (RemotePackingFileSystem client = cluster().client(cluster().storing("store-1", Map.of()))) {
            assertThat(client.bdt().apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
        }
    }

    private static void sync(String path) throws Exception {
        cluster().shell("loadMetadata", "-R", "-F", path);
    }

    private static byte[] copied(String path) throws Exception {
        Path back = home.resolve("copied");
        Files.deleteIfExists(back);
        cluster().shell("copyToLocal", path, back.toString());
        return Files.readAllBytes(back);
    }

    @Test
    void clonesThatAreMadeBesideAlluxioAreSeenAfterASync() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/beside/a", 3, 3_000, 2, "CACHE_THROUGH");
        load(write);
        beside(new Operation.CloneFile(
                new FilePath("/small/beside/a/00000001"),
                new FilePath("/small/beside/file"),
                false,
                AttributeChange.NONE));
        beside(new Operation.CloneDirectory(new FilePath("/small/beside/a"), new FilePath("/small/beside/b")));
        sync("/small/beside");
        byte[] source = copied("/small/beside/a/00000001");
        assertThat(copied("/small/beside/file")).isEqualTo(source);
        // Contents depend on the number of a file, not on its directory. These reads fill Alluxio's caches.
        load(new ClusterLoadSpec(
                ClusterLoadSpec.Action.READ,
                "/small/beside/b",
                3,
                3_000,
                2,
                "THROUGH",
                true,
                write.seed(),
                write.shift()));

        byte[] changed = copied("/small/beside/b/00000002");
        System.arraycopy(source, 0, changed, 500, 1_000);
        beside(new Operation.CloneRange(
                new ByteRange(new FilePath("/small/beside/a/00000001"), 0, 1_000),
                new FilePath("/small/beside/b/00000002"),
                500));
        sync("/small/beside");
        assertThat(copied("/small/beside/b/00000002")).as("of the same length").isEqualTo(changed);
        load(write.readBack());
    }

    @Test
    void snapshotsThatAreTakenBesideAlluxioAreReadAndRestored() throws Exception {
        ClusterLoadSpec first = ClusterLoadSpec.write("/small/past", 3, 3_000, 2, "CACHE_THROUGH");
        load(first);
        beside(new Operation.TakeSnapshot(new FilePath("/small/past"), "s"));
        ClusterLoadSpec second = first.withSeed(2);
        load(second.then(ClusterLoadSpec.Action.OVERWRITE));
        ClusterLoadSpec snapshot = new ClusterLoadSpec(
                ClusterLoadSpec.Action.READ,
                "/small/past/.snapshot/s",
                3,
                3_000,
                2,
                "THROUGH",
                true,
                first.seed(),
                first.shift());
        load(snapshot);
        assertThat(cluster().shell("ls", "/small/past/.snapshot/s")).hasSize(3);
        load(second.readBack());
        assertThatThrownBy(() -> cluster().shell("rm", "/small/past/.snapshot/s/00000000"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> cluster().shell("rm", "-R", "/small/past")).isInstanceOf(IOException.class);
        load(snapshot);
        try (RemotePackingFileSystem client = cluster().client(cluster().storing("store-1", Map.of()))) {
            FilePath past = new FilePath("/small/past");
            assertThat(TreeRestore.restore(client.bdt(), new FilePath("/small/past/.snapshot/s"), past))
                    .isPositive();
        }
        sync("/small/past");
        load(first.readBack());
    }

    @Test
    void permissionsThatAreChangedStayChangedAcrossASync() throws Exception {
        load(ClusterLoadSpec.write("/small/modes", 1, 1_000, 1, "THROUGH"));
        cluster().shell("chmod", "640", "/small/modes/00000000");
        flush("store-1");
        cluster().shell("loadMetadata", "-R", "-F", "/small/modes");
        // Alluxio prints 0640 so.
        assertThat(cluster().shell("stat", "/small/modes/00000000")).anyMatch(line -> line.contains("mode=416"));
    }

    @Test
    void bufferedFilesSurviveACrashOfTheirWorkerAndOfAlluxiosMaster() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/crash", 20, 8192, 4, "THROUGH");
        load(write);
        cluster().alluxio().crashWorker(0);
        cluster().alluxio().crashMaster();
        // Alluxio opens a mount in a worker at the first access through it: each worker first reads its own files.
        load(new ClusterLoadSpec(
                ClusterLoadSpec.Action.READ, write.path(), 20, 8192, 4, "THROUGH", false, write.seed(), write.shift()));
        load(write.readBack());
        flush("store-1");
        load(write.readBack());
    }

    @Test
    void mountsWithTheirOwnStoresAndOptionsLiveSideBySideAndComeBackAfterAnUnmount() throws Exception {
        mount("/other", "store-2", Map.of("packing.policy", "directory", "packing.durability", "buffered"));
        ClusterLoadSpec write = ClusterLoadSpec.write("/other/files", 20, 1000, 4, "THROUGH");
        load(write);
        flush("store-2");
        try (Stream<Path> blobs = Files.walk(home.resolve("store-2/blobs"))) {
            assertThat(blobs.filter(Files::isRegularFile)).isNotEmpty();
        }
        cluster().shell("unmount", "/other");
        mount("/other", "store-2", Map.of("packing.policy", "fifo"));
        assertThat(cluster().shell("ls", "/other/files")).hasSize(20);
        load(write.readBack());
    }

    @Test
    void aMisspeltOptionFailsTheMountWithItsNameAndTheNearestValidOne() {
        assertThatThrownBy(() -> mount("/wrong", "store-3", Map.of("packing.treads", "4")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("packing.treads")
                .hasMessageContaining("packing.threads");
        assertThatThrownBy(() -> mount("/wrong", "store-3", Map.of("packing.threads", "0")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("packing.threads")
                .hasMessageContaining("from 1");
    }

    @Test
    void nothingOfTheTestIsLeftInTheNamespaceOfAnotherMount() throws Exception {
        try (RemotePackingFileSystem client = cluster().client(cluster().storing("store-1", Map.of()))) {
            List<FileStatus> top = client.bdt().list(FilePath.ROOT, "", 10).orElseThrow();
            assertThat(top).extracting(status -> status.path().value()).containsExactly("/small");
        }
    }
}
