// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.Stores;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An upgrade: data that a release left, on the disks of master and worker and in the store, are opened by this version. Each
 * release adds its own: {@code -Dpacking.released.write=VERSION} writes {@code released/VERSION.zip}.
 */
@Timeout(300)
@Tag("process")
final class ReleasedDataTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");
    /** The place by which all tables know the store; it stands in each test's own directory. */
    private static final String PLACE = "file:///released/store";

    private static final String EXPECTED = "expected";
    private static final MountOptions OPTIONS = MountOptions.from(Map.of(
            "packing.store", PLACE, "packing.seal.after", "1h", "packing.seal.quiet", "0s", "packing.threads", "2"));

    @TempDir
    private Path home;

    static Stream<Path> releases() throws IOException {
        try (Stream<Path> files = Files.list(RELEASED)) {
            return files.filter(file -> file.toString().endsWith(".zip")).sorted().toList().stream();
        }
    }

    /** A master and a worker whose store is in a directory of the test. */
    private final class Daemons implements AutoCloseable {
        final BdtMaster master;
        final PackingWorker worker;
        final PackingFileSystem mount;

        Daemons() throws IOException {
            master = BdtMaster.start(
                    BdtMasterOptions.from(
                            Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.stores", PLACE)),
                    new Stores() {
                        @Override
                        public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                            return SortedStores.open(directory, config);
                        }

                        @Override
                        public ObjectStore objects(Map<String, String> options) throws IOException {
                            return store();
                        }
                    });
            worker = PackingWorker.start(
                    new WorkerOptions("w1", home.resolve("w1"), "127.0.0.1", 0),
                    master,
                    (options, listener) -> store(),
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            mount = worker.open(OPTIONS);
        }

        private ObjectStore store() throws IOException {
            Path directory = Files.createDirectories(home.resolve("store"));
            return ObjectStores.open(
                    StoreOptions.from(Map.of("packing.store", directory.toUri().toString())));
        }

        @Override
        public void close() throws IOException {
            worker.close();
            master.close();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void dataOfAReleaseAreOpenedAndGoOn(Path release) throws IOException {
        Map<String, String> expected = unzip(release);
        try (Daemons daemons = new Daemons()) {
            assertThat(tree(daemons.mount)).isEqualTo(expected);
            assertThat(daemons.mount.bdt().statistics().lostFiles()).isZero();
            MountRig.write(daemons.mount, "/new", MountRig.bytes(9, 5_000), MountRig.NEW);
            daemons.mount.flush();
            assertThat(MountRig.read(daemons.mount, "/new")).isEqualTo(MountRig.bytes(9, 5_000));
        }
        try (Daemons again = new Daemons()) {
            assertThat(tree(again.mount)).containsAllEntriesOf(expected).containsKey("/new");
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aTableOfAReleaseIsMadeAgainFromItsStore(Path release) throws IOException {
        Map<String, String> expected = unzip(release);
        MountRig.deleteTree(home.resolve("bdt"));
        try (Daemons daemons = new Daemons()) {
            daemons.mount.flush();
            assertThat(tree(daemons.mount)).isEqualTo(expected);
            assertThat(daemons.mount.bdt().statistics().lostFiles()).isZero();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "packing.released.write", matches = ".+")
    void thisVersionLeavesItsData() throws IOException {
        Map<String, String> tree;
        try (Daemons daemons = new Daemons()) {
            fill(daemons.mount);
            tree = tree(daemons.mount);
        }
        List<String> lines = new ArrayList<>();
        tree.forEach((path, what) -> lines.add(path + "\t" + what));
        Files.write(home.resolve(EXPECTED), lines);
        zip(RELEASED.resolve(System.getProperty("packing.released.write") + ".zip"));
    }

    /** Makes one of each kind of thing that a table, a blob or a buffer has. */
    private static void fill(PackingFileSystem mount) throws IOException {
        for (int i = 0; i < 40; i++) {
            MountRig.write(mount, "/packed/d" + i % 4 + "/f" + i, MountRig.bytes(i, 100 * i), MountRig.NEW);
        }
        MountRig.write(mount, "/packed/large", MountRig.bytes(41, 60_000), MountRig.NEW);
        mount.flush();
        apply(mount, new Operation.TakeSnapshot(new FilePath("/packed"), "before"));
        MountRig.write(mount, "/packed/d0/f0", MountRig.bytes(42, 777), MountRig.OVERWRITE);
        apply(
                mount,
                new Operation.CloneDirectory(new FilePath("/packed"), new FilePath("/clone")),
                new Operation.Link(new FilePath("/packed/d1/f1"), new FilePath("/linked")),
                new Operation.CreateFile(new FilePath("/parts"), AttributeChange.NONE, false),
                new Operation.CloneRange(
                        new ByteRange(new FilePath("/packed/large"), 20_000, 10_000), new FilePath("/parts"), 3),
                new Operation.MakeDirectory(new FilePath("/limited"), new DirectoryAttributes("o", "g", 0750), false),
                new Operation.SetAttributes(
                        new FilePath("/packed/d2/f2"),
                        AttributeChange.ofExtended(ExtendedChange.put(
                                "user.note", new ExtendedValue("kept".getBytes(StandardCharsets.UTF_8))))));
        assertThat(mount.bdt()
                        .setQuota(
                                new FilePath("/limited"),
                                new QuotaChange(OptionalLong.of(10), OptionalLong.of(1_000_000))))
                .isEqualTo(Outcome.DONE);
        apply(mount, new Operation.Truncate(new FilePath("/clone/d3/f3"), 100));
        apply(mount, new Operation.Delete(new FilePath("/packed/d3"), true));
        // What waits in the worker's buffer when the daemons end.
        for (int i = 0; i < 10; i++) {
            MountRig.write(mount, "/limited/f" + i % 5, MountRig.bytes(50 + i, 1_000 + i), MountRig.OVERWRITE);
        }
    }

    private static void apply(PackingFileSystem mount, Operation... operations) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    /** Returns each path of the present and of the snapshot, with what readers see of it. */
    private static Map<String, String> tree(PackingFileSystem mount) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        walk(mount, "/", tree);
        walk(mount, "/packed/.snapshot/before", tree);
        return tree;
    }

    private static void walk(PackingFileSystem mount, String directory, Map<String, String> tree) throws IOException {
        for (FileStatus child :
                mount.bdt().list(new FilePath(directory), "", 10_000).orElseThrow()) {
            String path = child.path().toString();
            if (child.isDirectory()) {
                Optional<Quota> quota = mount.bdt().quota(child.path());
                tree.put(
                        path,
                        "directory %o %s"
                                .formatted(
                                        child.attributes().mode(),
                                        quota.map(Object::toString).orElse("")));
                walk(mount, path, tree);
                continue;
            }
            CRC32 crc = new CRC32();
            crc.update(MountRig.read(mount, path));
            tree.put(
                    path,
                    "file %o %d %08x %s"
                            .formatted(
                                    child.attributes().mode(),
                                    child.attributes().length(),
                                    crc.getValue(),
                                    extended(mount, child.path())));
        }
    }

    private static String extended(PackingFileSystem mount, FilePath path) throws IOException {
        Map<String, String> shown = new TreeMap<>();
        mount.bdt()
                .extended(path)
                .orElse(Map.of())
                .forEach((name, value) -> shown.put(name, HexFormat.of().formatHex(value.bytes())));
        return shown.toString();
    }

    private void zip(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            Files.walkFileTree(home, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                    // Space that is kept for a full disk, and made again where it is missing.
                    if (path.endsWith("RESERVE")) {
                        return FileVisitResult.CONTINUE;
                    }
                    zip.putNextEntry(new ZipEntry(home.relativize(path).toString()));
                    Files.copy(path, zip);
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    /** Lays out the data of a release, and returns the tree that its readers saw. */
    private Map<String, String> unzip(Path release) throws IOException {
        try (InputStream in = Files.newInputStream(release);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = home.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
        Map<String, String> expected = new TreeMap<>();
        for (String line : Files.readAllLines(home.resolve(EXPECTED))) {
            int tab = line.indexOf('\t');
            expected.put(line.substring(0, tab), line.substring(tab + 1));
        }
        return expected;
    }
}
