package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.Commands;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the first container of an image reads is kept, and read ahead for the next. */
@Timeout(300)
class StartOrdersTest {
    private static final Duration WINDOW = Duration.ofSeconds(20);

    private final AtomicLong nanos = new AtomicLong(1);

    @TempDir
    private Path home;

    private LayerRig rig;
    private OpenRegistry registry;
    private Containers containers;

    /** Notes which files are opened. */
    private record Opened(RegistryFiles files, List<String> paths) implements RegistryFiles {
        @Override
        public long packedBytes() {
            return files.packedBytes();
        }

        @Override
        public Optional<FileStatus> stat(FilePath path) throws IOException {
            return files.stat(path);
        }

        @Override
        public PackingInput open(FilePath path) throws IOException {
            paths.add(path.value());
            return files.open(path);
        }

        @Override
        public PackingOutput create(FilePath path) throws IOException {
            return files.create(path);
        }

        @Override
        public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
            return files.list(directory, after, limit);
        }

        @Override
        public VectorResult apply(OperationVector vector) throws IOException {
            return files.apply(vector);
        }
    }

    private final List<String> opened = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        rig = new LayerRig(home);
        registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
        containers = new Containers(registry, rig.mount().bdt());
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.write(tree.resolve("program"), new byte[5_000]);
        Files.write(tree.resolve("a library"), new byte[9_000]);
        Path tar = home.resolve("layer.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        byte[] layer = Files.readAllBytes(tar);
        String unused = rig.pushImage("team/app", List.of(layer), List.of(LayerRig.digest(layer)));
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        rig.close();
    }

    private StartOrders server() {
        return new StartOrders(
                new Opened(rig.files(), opened),
                registry.layout(),
                Runnable::run,
                OpenRegistry::id,
                nanos::get,
                WINDOW);
    }

    private FilePath container(String name) throws IOException {
        return containers.create(name, new ImageName("team/app", "v1"));
    }

    @Test
    void theSecondContainerHasWhatTheFirstReadInItsOrder() throws Exception {
        FilePath one = container("one");
        StartOrders first = server();
        first.read(one.child("a library"), 0, 4_096);
        first.read(one.child("program"), 4_096, 904);
        first.read(one.child("a library"), 0, 4_096);
        first.step();
        FilePath order = registry.layout()
                .manifest(
                        "team/app",
                        registry.manifests()
                                .byTag("team/app", "v1")
                                .orElseThrow()
                                .digest())
                .child("order");
        assertThat(registry.files().stat(order)).as("it still starts").isEmpty();
        nanos.addAndGet(WINDOW.toNanos());
        first.step();
        assertThat(new String(FileBytes.all(registry.files().open(order), 1_000), StandardCharsets.UTF_8))
                .isEqualTo("0 4096 /a library\n4096 904 /program\n");
        FilePath two = container("two");
        opened.clear();
        StartOrders other = server();
        other.read(two.child("program"), 0, 100);
        assertThat(opened).containsExactly(order.value(), two.value() + "/a library", two.value() + "/program");
        // It is read ahead for once, and nothing is recorded of it.
        other.read(two.child("program"), 200, 100);
        nanos.addAndGet(WINDOW.toNanos());
        other.step();
        assertThat(opened).hasSize(3);
        assertThat(FileBytes.all(registry.files().open(order), 1_000)).hasSize(36);
    }

    @Test
    void anOrderThatIsDamagedCostsNothingButTime() throws Exception {
        FilePath one = container("one");
        StartOrders first = server();
        first.read(one.child("program"), 0, 100);
        FilePath gone = one.child("gone");
        first.read(gone, 0, 100);
        nanos.addAndGet(WINDOW.toNanos());
        first.step();
        FilePath two = container("two");
        // A file of the order is not there.
        server().read(two.child("program"), 0, 100);
        assertThatThrownBy(() -> StartOrder.decode("1 2\n".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
        for (String line : List.of("x 1 /a", "0 0 /a", "-1 5 /a", "0 5 a", "0 9999999 /a", "0 99999999999 /a")) {
            assertThatThrownBy(() -> StartOrder.decode(line.getBytes(StandardCharsets.UTF_8)))
                    .as(line)
                    .isInstanceOf(IOException.class);
        }
        assertThat(StartOrder.decode(new byte[0]).ranges()).isEmpty();
    }

    @Test
    void containersOfSnapshotsHaveNoOrder() throws Exception {
        container("one");
        containers.snapshot("one", new ImageName("team/app", "v2"));
        FilePath two = containers.create("two", new ImageName("team/app", "v2"));
        StartOrders server = server();
        server.read(two.child("program"), 0, 100);
        nanos.addAndGet(WINDOW.toNanos());
        server.step();
        assertThat(registry.files()
                        .list(registry.layout().scratch("-").parent().orElseThrow(), "", 10)
                        .orElse(List.of()))
                .isEmpty();
        // Nor has a container that is gone.
        server.read(registry.layout().container("none").child("root").child("f"), 0, 1);
    }
}
