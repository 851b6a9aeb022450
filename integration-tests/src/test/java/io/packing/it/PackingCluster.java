// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterOptions;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real Alluxio (master, two workers, job service) with the users' extension jar, and a BDT master. */
final class PackingCluster implements AutoCloseable {
    private final Path home;
    private final BdtMaster master;
    private final AlluxioCluster alluxio;

    private PackingCluster(Path home, BdtMaster master, AlluxioCluster alluxio) {
        this.home = home;
        this.master = master;
        this.alluxio = alluxio;
    }

    /** @param stores that mounts may name, beside all directories below this one */
    static PackingCluster start(Path home, String... stores) throws IOException, InterruptedException {
        Path extensions = Files.createDirectories(home.resolve("extensions"));
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(Path.of("../packing-ufs/target"), "packing-ufs-*-extension.jar")) {
            for (Path jar : jars) {
                Files.copy(jar, extensions.resolve(jar.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        String allowed = "file://" + home.toAbsolutePath() + (stores.length == 0 ? "" : "," + String.join(",", stores));
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                        Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", allowed)))
                .serve();
        try {
            AlluxioCluster alluxio = AlluxioCluster.start(
                    ClusterOptions.of(Path.of("../lab/alluxio-runtime/target/alluxio-lib"), home.resolve("alluxio"))
                            .withJobService()
                            .withExtensions(extensions));
            return new PackingCluster(home, master, alluxio);
        } catch (IOException | InterruptedException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    AlluxioCluster alluxio() {
        return alluxio;
    }

    /** Returns the options of a mount that stores below a directory of this name. */
    Map<String, String> storing(String store, Map<String, String> more) throws IOException {
        Map<String, String> options = new HashMap<>(more);
        options.put(
                "packing.store",
                Files.createDirectories(home.resolve(store)).toUri().toString());
        return options;
    }

    void mount(String path, Map<String, String> options) throws IOException, InterruptedException {
        alluxio.mount(path, "packing://127.0.0.1:" + master.port() + path, options);
    }

    /** Opens a client of a mount, beside Alluxio. */
    RemotePackingFileSystem client(Map<String, String> options) throws IOException {
        MountOptions parsed = MountOptions.from(options);
        return RemotePackingFileSystem.open(
                master, parsed, ObjectStores.open(parsed.store()), Writers.preferHost("127.0.0.1"));
    }

    /** Waits until blobs have all buffered bytes. */
    void flush(Map<String, String> options) throws IOException {
        try (RemotePackingFileSystem client = client(options)) {
            client.flush();
        }
    }

    FileStatus stat(Map<String, String> options, String path) throws IOException {
        try (RemotePackingFileSystem client = client(options)) {
            return client.bdt().stat(new FilePath(path)).orElseThrow();
        }
    }

    List<String> shell(String... words) throws IOException, InterruptedException {
        return alluxio.shell(words);
    }

    /** Runs a load, each of whose files must succeed. */
    void load(ClusterLoadSpec spec) throws IOException, InterruptedException {
        ClusterLoadResult result = alluxio.tryLoad(spec);
        assertThat(result.firstError()).isEmpty();
        assertThat(result.mismatches()).isZero();
        assertThat(result.files()).isEqualTo(spec.files());
    }

    @Override
    public void close() {
        try (master) {
            alluxio.close();
        }
    }
}
