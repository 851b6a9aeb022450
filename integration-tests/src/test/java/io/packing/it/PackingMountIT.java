package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BlobDirectory;
import io.packing.bdt.FileStatus;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterConfig;
import io.packing.blob.FilePath;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterConfig;
import io.packing.cluster.load.LoadSpec;
import io.packing.store.ObjectStores;
import io.packing.worker.MountOptions;
import io.packing.worker.RemotePackingFileSystem;
import io.packing.worker.Writers;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packing mounts in a real Alluxio: a master, two workers and the job service, with the extension jar as users get it. */
class PackingMountIT {
    @TempDir
    static Path home;

    private static @Nullable BdtMaster master;
    private static @Nullable AlluxioCluster running;

    @BeforeAll
    static void start() throws Exception {
        Path extensions = Files.createDirectories(home.resolve("extensions"));
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(Path.of("../packing-ufs/target"), "packing-ufs-*-extension.jar")) {
            for (Path jar : jars) {
                Files.copy(jar, extensions.resolve(jar.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        master = BdtMaster.start(BdtMasterConfig.from(
                        Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.port", "0")))
                .serve();
        running = AlluxioCluster.start(
                ClusterConfig.of(Path.of("../alluxio-runtime/target/alluxio-lib"), home.resolve("alluxio"))
                        .withJobService()
                        .withExtensions(extensions));
        mount("/small", "store-1", Map.of("packing.seal.after", "1h"));
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
        if (master != null) {
            master.close();
        }
    }

    private static AlluxioCluster cluster() {
        return java.util.Objects.requireNonNull(running);
    }

    private static Map<String, String> options(String store, Map<String, String> more) throws IOException {
        Path directory = Files.createDirectories(home.resolve(store));
        Map<String, String> options = new HashMap<>(more);
        options.put("packing.store", directory.toUri().toString());
        return options;
    }

    private static void mount(String path, String store, Map<String, String> more) throws Exception {
        int port = java.util.Objects.requireNonNull(master).port();
        cluster().mount(path, "packing://127.0.0.1:" + port + path, options(store, more));
    }

    private static RemotePackingFileSystem client(String store) throws IOException {
        MountOptions options = MountOptions.from(options(store, Map.of()));
        return RemotePackingFileSystem.open(
                java.util.Objects.requireNonNull(master),
                options,
                ObjectStores.open(options.store()),
                Writers.preferHost("127.0.0.1"));
    }

    private static void flush(String store) throws IOException {
        try (RemotePackingFileSystem client = client(store)) {
            client.flush();
        }
    }

    private static FileStatus.State state(String store, String path) throws IOException {
        try (RemotePackingFileSystem client = client(store)) {
            BlobDirectory directory = client.directory();
            return directory.stat(new FilePath(path)).orElseThrow().state();
        }
    }

    private static void load(LoadSpec spec) throws Exception {
        var result = cluster().load(spec, done -> {});
        assertThat(result.firstError()).isEmpty();
        assertThat(result.mismatches()).isZero();
        assertThat(result.files()).isEqualTo(spec.files());
    }

    @ParameterizedTest
    @ValueSource(strings = {"THROUGH", "CACHE_THROUGH"})
    void filesAreReadThroughTheOtherWorkerWhileBufferedAndAfterwards(String writeType) throws Exception {
        LoadSpec write = LoadSpec.write("/small/" + writeType, 100, 8192, 8, writeType);
        load(write);
        assertThat(state("store-1", "/small/" + writeType + "/00000007")).isEqualTo(FileStatus.State.BUFFERED);
        load(write.readBack());
        flush("store-1");
        assertThat(state("store-1", "/small/" + writeType + "/00000007")).isEqualTo(FileStatus.State.PACKED);
        load(write.readBack());
    }

    @Test
    void asynchronousPersistsGoToTheNodesPackingWorker() throws Exception {
        LoadSpec write = LoadSpec.write("/small/async", 10, 8192, 2, "ASYNC_THROUGH");
        load(write);
        cluster().shell("persist", "/small/async");
        assertThat(state("store-1", "/small/async/00000003")).isEqualTo(FileStatus.State.BUFFERED);
        load(write.readBack());
    }

    @Test
    void emptyLargeAndOddlyNamedFilesComeBackAsTheyWere() throws Exception {
        byte[] large = new byte[20 << 20];
        new java.util.Random(7).nextBytes(large);
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
    void treesAreListedRenamedOverwrittenAndDeleted() throws Exception {
        load(LoadSpec.write("/small/tree/a", 5, 100, 2, "THROUGH"));
        cluster().shell("mkdir", "/small/tree/empty");
        assertThat(cluster().shell("ls", "/small/tree")).hasSize(2);
        cluster().shell("mv", "/small/tree/a", "/small/tree/b");
        cluster().shell("mv", "/small/tree/b/00000001", "/small/tree/empty/moved");
        assertThat(cluster().shell("ls", "-f", "/small/tree/b")).hasSize(4);
        assertThat(state("store-1", "/small/tree/empty/moved")).isEqualTo(FileStatus.State.BUFFERED);
        cluster().shell("rm", "-R", "/small/tree/b");
        assertThatThrownBy(() -> cluster().shell("ls", "-f", "/small/tree/b")).isInstanceOf(IOException.class);
        assertThat(cluster().shell("ls", "-f", "/small/tree")).hasSize(1);
        flush("store-1");
        assertThat(state("store-1", "/small/tree/empty/moved")).isEqualTo(FileStatus.State.PACKED);
    }

    @Test
    void bufferedFilesSurviveACrashOfTheirWorkerAndOfAlluxiosMaster() throws Exception {
        LoadSpec write = LoadSpec.write("/small/crash", 20, 8192, 4, "THROUGH");
        load(write);
        cluster().crashWorker(0);
        cluster().crashMaster();
        // Alluxio opens a mount in a worker with the first access through it: each worker first reads its own files.
        load(new LoadSpec(
                LoadSpec.Action.READ, write.path(), 20, 8192, 4, "THROUGH", false, write.seed(), write.shift()));
        load(write.readBack());
        flush("store-1");
        load(write.readBack());
    }

    @Test
    void mountsWithTheirOwnStoresAndOptionsLiveSideBySideAndComeBackAfterAnUnmount() throws Exception {
        mount("/other", "store-2", Map.of("packing.policy", "directory", "packing.durability", "buffered"));
        LoadSpec write = LoadSpec.write("/other/files", 20, 1000, 4, "THROUGH");
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
        try (RemotePackingFileSystem client = client("store-1")) {
            List<FileStatus> top =
                    client.directory().list(FilePath.ROOT, "", 10).orElseThrow();
            assertThat(top).extracting(status -> status.path().value()).containsExactly("/small");
        }
    }
}
