package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.Commands;
import io.packing.layers.CountedMount;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a container of an image reads when it starts is kept, and brought to the next machine before it is read there. */
@Timeout(300)
class StartsTest {
    private static final int PROGRAM = 900_000;
    private static final int LIBRARY = 3_000_000;
    private static final ImageName IMAGE = new ImageName("team/app", "v1");

    private final AtomicLong nanos = new AtomicLong(1);
    private final Random random = Seed.random();
    private final byte[] program = new byte[PROGRAM];
    private final byte[] library = new byte[LIBRARY];

    @TempDir
    private Path home;

    private LayerRig rig;
    private OpenRegistry registry;
    private Containers containers;
    private final List<Machine> machines = new ArrayList<>();

    /** A machine that starts containers: a client of the mount with a cold cache. */
    private final class Machine {
        private final List<FilePath> learnt = new ArrayList<>();
        private final CountedMount counted;
        private final Starts starts;

        Machine() throws IOException {
            counted = new CountedMount(rig);
            starts = new Starts(
                    counted.mount(),
                    counted.files(),
                    registry.layout(),
                    learnt::add,
                    new Starts.Threads(Runnable::run, Runnable::run, Runnable::run),
                    OpenRegistry::id,
                    nanos::get);
            machines.add(this);
        }

        /** As the kernel does for a program; returns the requests to the store. */
        int read(FilePath path, byte[] expected) throws IOException {
            int before = counted.gets();
            assertThat(FileBytes.all(counted.mount().open(path), LIBRARY)).isEqualTo(expected);
            starts.read(path, 0, expected.length);
            return counted.gets() - before;
        }

        void endStart() throws IOException {
            nanos.addAndGet(Recording.QUIET.toNanos());
            starts.step();
            rig.mount().flush();
        }
    }

    @BeforeEach
    void start() throws Exception {
        random.nextBytes(program);
        random.nextBytes(library);
        rig = new LayerRig(home);
        registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
        containers = new Containers(registry, rig.mount().bdt());
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.write(tree.resolve("program"), program);
        Files.write(tree.resolve("a library"), library);
        Path tar = home.resolve("layer.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        byte[] layer = Files.readAllBytes(tar);
        String unused = rig.pushImage(IMAGE.repository(), List.of(layer), List.of(LayerRig.digest(layer)));
        rig.mount().flush();
    }

    @AfterEach
    void stop() throws IOException {
        for (Machine each : machines) {
            each.counted.close();
        }
        registry.close();
        rig.close();
    }

    private FilePath container(String name, ImageName image) throws IOException {
        return containers.create(name, image);
    }

    private FilePath kept() throws IOException {
        return registry.layout()
                .manifest(
                        IMAGE.repository(),
                        registry.manifests()
                                .byTag(IMAGE.repository(), IMAGE.reference())
                                .orElseThrow()
                                .digest())
                .child(Layout.START);
    }

    private List<FileStatus> entries(FilePath directory) throws IOException {
        return registry.files().list(directory, "", 100).orElse(List.of());
    }

    private void startOnce(String name, ImageName image) throws IOException {
        Machine first = new Machine();
        FilePath root = container(name, image);
        first.starts.lookedUp(root);
        first.read(root.child("program"), program);
        first.read(root.child("a library"), library);
        first.starts.step();
        first.endStart();
    }

    @Test
    void theNextMachineHasWhatAStartReadsBeforeItIsRead() throws Exception {
        startOnce("one", IMAGE);
        assertThat(entries(kept())).as("index and pieces").hasSizeGreaterThan(1);
        Machine second = new Machine();
        FilePath root = container("two", IMAGE);
        second.starts.lookedUp(root);
        assertThat(second.read(root.child("program"), program)).isZero();
        assertThat(second.read(root.child("a library"), library)).isZero();
        // It asked for what is kept, which stays.
        List<FileStatus> before = entries(kept());
        second.endStart();
        assertThat(entries(kept())).isEqualTo(before);
        // The next container of this machine costs the store nothing.
        int gets = second.counted.gets();
        second.starts.lookedUp(container("three", IMAGE));
        assertThat(second.counted.gets()).isEqualTo(gets);
    }

    @Test
    void aStartOfBytesThatRepeatIsStoredSmallAndBroughtWhole() throws Exception {
        byte[] text = new byte[LIBRARY];
        for (int i = 0; i < LIBRARY; i++) {
            text[i] = (byte) ('a' + random.nextInt(4));
        }
        FilePath root = container("text", IMAGE);
        VectorResult unused = registry.files()
                .apply(new VectorBuilder().delete(root.child("a library")).build());
        try (PackingOutput out = registry.files().create(root.child("a library"))) {
            out.write(text);
        }
        rig.mount().flush();
        ImageName second = new ImageName("team/text", "v1");
        containers.snapshot("text", second);
        Machine first = new Machine();
        FilePath one = container("one", second);
        first.starts.lookedUp(one);
        first.read(one.child("a library"), text);
        first.endStart();
        List<FileStatus> kept =
                entries(registry.layout().snapshot("team/text", "v1").child(Layout.START));
        assertThat(kept.stream().mapToLong(each -> each.attributes().length()).sum())
                .isLessThan(LIBRARY / 2);
        Machine next = new Machine();
        FilePath two = container("two", second);
        next.starts.lookedUp(two);
        assertThat(next.read(two.child("a library"), text)).isZero();
    }

    @Test
    void aContainerThatWasMadeBeforeTheFirstStartHasItToo() throws Exception {
        FilePath root = container("early", IMAGE);
        startOnce("one", IMAGE);
        Machine second = new Machine();
        second.starts.lookedUp(root);
        assertThat(second.read(root.child("a library"), library)).isZero();
    }

    @Test
    void directoriesOfAStartAreLearntForEachContainerOfTheImage() throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root);
        for (String directory : List.of("/usr/bin", "/usr", "/usr/b\nin", "/" + "x".repeat(300), "/usr")) {
            first.starts.searched(new FilePath(root.value() + directory));
        }
        first.starts.searched(root);
        first.starts.searched(registry.layout().containers());
        first.starts.searched(root.parent().orElseThrow());
        first.starts.searched(new FilePath(root.value() + "-else"));
        assertThat(first.learnt)
                .as("the usual ones")
                .contains(root, root.child("usr").child("bin"))
                .hasSize(5);
        first.read(root.child("program"), program);
        first.endStart();
        Machine second = new Machine();
        for (String name : List.of("two", "three")) {
            FilePath next = container(name, IMAGE);
            second.starts.lookedUp(next);
            assertThat(second.learnt)
                    .containsExactly(new FilePath(next + "/usr/bin"), new FilePath(next + "/usr"), next);
            second.learnt.clear();
        }
        FilePath here = container("four", IMAGE);
        first.learnt.clear();
        first.starts.lookedUp(here);
        assertThat(first.learnt).as("where it was recorded").hasSize(3).contains(here);
    }

    @Test
    void whereNothingIsKnownTheDirectoriesOfTheLastStartAreLearnt() throws Exception {
        Machine machine = new Machine();
        FilePath root = container("one", IMAGE);
        machine.starts.lookedUp(root);
        for (int i = 0; i < 40; i++) {
            machine.starts.searched(new FilePath(root + "/d" + i));
        }
        machine.read(root.child("program"), program);
        ImageName second = new ImageName("team/other", "v1");
        container("build", IMAGE);
        containers.snapshot("build", second);
        machine.endStart();
        machine.learnt.clear();
        FilePath other = container("two", second);
        machine.starts.lookedUp(other);
        assertThat(machine.learnt)
                .hasSize(24)
                .startsWith(new FilePath(other + "/d0"), new FilePath(other + "/d1"))
                .doesNotContain(other);
    }

    @Test
    void aSnapshotKeepsItsOwnStartAndBeginsWithThatOfItsContainer() throws Exception {
        ImageName second = new ImageName("team/app", "v2");
        container("build", IMAGE);
        containers.snapshot("build", second);
        startOnce("one", second);
        FilePath snapshot = registry.layout().snapshot("team/app", "v2");
        assertThat(entries(snapshot.child(Layout.START))).isNotEmpty();
        assertThat(entries(kept())).as("another image's").isEmpty();
        container("next", second);
        ImageName third = new ImageName("team/app", "v3");
        containers.snapshot("next", third);
        Machine machine = new Machine();
        FilePath root = container("three", third);
        machine.starts.lookedUp(root);
        assertThat(machine.read(root.child("a library"), library)).isZero();
        assertThat(containers.publish(third, home)).isPresent();
        Machine other = new Machine();
        FilePath published = container("four", third);
        other.starts.lookedUp(published);
        assertThat(other.read(published.child("a library"), library)).isZero();
    }

    @Test
    void aFileThatAContainerChangedIsReadAsItIsNow() throws Exception {
        startOnce("one", IMAGE);
        FilePath root = container("two", IMAGE);
        VectorResult unused = registry.files()
                .apply(new VectorBuilder().delete(root.child("program")).build());
        byte[] other = new byte[PROGRAM];
        random.nextBytes(other);
        try (PackingOutput out = registry.files().create(root.child("program"))) {
            out.write(other);
        }
        Machine second = new Machine();
        second.starts.lookedUp(root);
        second.read(root.child("program"), other);
        second.read(root.child("a library"), library);
    }

    @Test
    void whatIsDamagedCostsTimeOnlyAndIsRecordedAgain() throws Exception {
        startOnce("one", IMAGE);
        FilePath index = entries(kept()).get(0).path();
        FilePath piece = entries(kept()).get(1).path();
        replace(piece, new byte[(int) entries(kept()).get(1).attributes().length()]);
        Machine second = new Machine();
        FilePath root = container("two", IMAGE);
        second.starts.lookedUp(root);
        second.read(root.child("program"), program);
        second.read(root.child("a library"), library);
        replace(piece, new byte[5]);
        Machine third = new Machine();
        FilePath cut = container("three", IMAGE);
        third.starts.lookedUp(cut);
        third.read(cut.child("program"), program);
        replace(index, "nothing of the kind\n".repeat(100).getBytes(StandardCharsets.US_ASCII));
        startOnce("four", IMAGE);
        Machine last = new Machine();
        FilePath healed = container("five", IMAGE);
        last.starts.lookedUp(healed);
        assertThat(last.read(healed.child("a library"), library)).isZero();
    }

    private void replace(FilePath path, byte[] bytes) throws IOException {
        VectorResult unused =
                registry.files().apply(new VectorBuilder().delete(path).build());
        try (PackingOutput out = registry.files().create(path)) {
            out.write(bytes);
        }
        rig.mount().flush();
    }

    @Test
    void anImageThatIsGoneKeepsNothing() throws Exception {
        Machine machine = new Machine();
        FilePath root = container("one", IMAGE);
        machine.read(root.child("program"), program);
        VectorResult unused = registry.files()
                .apply(new VectorBuilder().delete(kept().parent().orElseThrow()).build());
        machine.endStart();
        assertThat(entries(registry.layout().scratch("-").parent().orElseThrow()))
                .isEmpty();
        // Nor is there anything for what is no container.
        machine.starts.lookedUp(registry.layout().container("none").child(Layout.ROOT));
        machine.starts.read(
                registry.layout().container("none").child(Layout.ROOT).child("f"), 0, 1);
        machine.endStart();
    }

    @Test
    void marksNameTheirPlaceAndNothingElseDoes() {
        Layout layout = registry.layout();
        assertThat(StartPlace.of(layout, StartPlace.markOfSnapshot("a/b", "v1"))
                        .orElseThrow()
                        .directory())
                .isEqualTo(layout.snapshot("a/b", "v1").child(Layout.START));
        for (String mark : List.of("", "x", "a!b", "a!b!c", "snapshot!v 1!a", "snapshot!v1!A", "snapshot!v1!..!a")) {
            assertThat(StartPlace.of(layout, mark)).as(mark).isEmpty();
        }
    }
}
