// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.layers.Commands;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.ImageTrees;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Roots of containers: their first content, and the layers that a push makes of their changes. */
@Timeout(300)
@Tag("cluster")
class ContainersTest {
    private final Random random = Seed.random();

    @TempDir
    private Path home;

    private LayerRig rig;
    private OpenRegistry registry;
    private Containers containers;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = new LayerRig(home);
        registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
        containers = new Containers(registry, rig.mount().bdt());
    }

    @AfterEach
    void stop() throws IOException {
        if (rig != null) {
            registry.close();
            rig.close();
        }
    }

    private Path write(Path file, int length) throws IOException {
        Files.createDirectories(file.getParent());
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Files.write(file, bytes);
    }

    private byte[] tar(Path tree) throws IOException, InterruptedException {
        Path tar = home.resolve("made.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        return Files.readAllBytes(tar);
    }

    /** Pushes an image of two layers; the upper one replaces, adds and hides. */
    private ImageName image() throws IOException, InterruptedException {
        Path lower = home.resolve("lower");
        for (String name : List.of("bin/sh", "etc/a", "etc/b", "gone/x", "hidden/x", "hidden/y", "swap/x", "file")) {
            write(lower.resolve(name), 2_000);
        }
        Files.createSymbolicLink(lower.resolve("sh"), Path.of("bin/sh"));
        Path upper = home.resolve("upper");
        write(upper.resolve("etc/a"), 3_000);
        write(upper.resolve("hidden/z"), 100);
        write(upper.resolve("hidden/.wh..wh..opq"), 0);
        write(upper.resolve(".wh.gone"), 0);
        write(upper.resolve("file/now/a/directory"), 10);
        write(upper.resolve("swap"), 10);
        Commands.run(upper, "mknod", "null", "c", "1", "3");
        Commands.run(upper, "chmod", "1770", "etc");
        byte[] base = tar(lower);
        byte[] top = tar(upper);
        rig.pushImage("app", List.of(base, top), List.of(LayerRig.digest(base), LayerRig.digest(top)));
        return ImageName.parse(rig.registry() + "/app:v1").orElseThrow();
    }

    private Map<String, String> look(String container) throws IOException, InterruptedException {
        FuseMount mount = rig.mount("look-" + container, containers.root(container));
        try {
            return Commands.describe(mount.directory());
        } finally {
            mount.close();
        }
    }

    @Test
    void aRootIsTheImagesLayersOverEachOther() throws Exception {
        containers.create("one", image());
        // As an engine unpacks them.
        Path wanted = home.resolve("lower");
        Commands.run(
                wanted,
                "sh",
                "-c",
                "rm -r gone hidden/x hidden/y swap file; cp -a ../upper/. .; rm .wh.gone hidden/.wh..wh..opq");
        assertThat(withoutTimesOfDirectories(look("one")))
                .isEqualTo(withoutTimesOfDirectories(Commands.describe(wanted)));
    }

    @Test
    void whatAContainerChangedIsALayerOfThePushedImage() throws Exception {
        FilePath root = containers.create("one", image());
        FuseMount mount = rig.mount("one", root);
        Map<String, String> changed;
        try {
            Path at = mount.directory();
            write(at.resolve("etc/new"), 70_000);
            write(at.resolve("etc/b"), 30);
            Files.delete(at.resolve("bin/sh"));
            Commands.run(
                    at, "sh", "-c", "mv file moved; rm -r hidden; chmod 4711 swap; ln -sfn elsewhere sh; mkfifo pipe");
            Commands.run(at, "sh", "-c", "rm null; mkdir null; echo x > null/x; chown 12:13 null/x");
            changed = Commands.describe(at);
        } finally {
            mount.close();
        }
        PushedImage pushed = containers.push("one", ImageName.parse("app:v2").orElseThrow(), home);
        assertThat(pushed.entries()).isBetween(10L, 25L);
        containers.create("two", ImageName.parse("app:v2").orElseThrow());
        Map<String, String> two = look("two");
        // The times of directories are not compared, and so not pushed.
        assertThat(withoutTimesOfDirectories(two)).isEqualTo(withoutTimesOfDirectories(changed));
        // Other containers do not see a container's changes.
        containers.create("three", ImageName.parse("app:v1").orElseThrow());
        assertThat(look("three")).containsKeys("bin/sh", "hidden/z", "file/now/a/directory");
    }

    @Test
    void hardLinksGoIntoThePushedLayerAndComeOutOfIt() throws Exception {
        FilePath one = containers.create("one", image());
        FuseMount mount = rig.mount("one", one);
        try {
            Commands.run(
                    mount.directory(),
                    "sh",
                    "-c",
                    "echo x > etc/x; ln etc/x etc/y; ln etc/x bin/x; ln -P sh sh2; ln etc/b c");
        } finally {
            mount.close();
        }
        PushedImage pushed = containers.push("one", ImageName.parse("app:v2").orElseThrow(), home);
        FilePath layer =
                registry.trees().directory(Image.digest(pushed.layer())).child(LayerTrees.DIFF);
        FilePath two = containers.create("two", ImageName.parse("app:v2").orElseThrow());
        for (FilePath root : List.of(layer, two)) {
            FileStatus x = stat(root, "etc", "x");
            assertThat(x.extras().links()).as("%s", root).isEqualTo(3);
            assertThat(stat(root, "etc", "y").version()).isEqualTo(x.version());
            assertThat(stat(root, "bin", "x").version()).isEqualTo(x.version());
        }
        assertThat(stat(two, "c").attributes().length()).isEqualTo(2_000);
        assertThat(stat(two, "sh2").attributes().mode())
                .isEqualTo(stat(two, "sh").attributes().mode());
    }

    @Test
    void whatAContainerWritesByOneNameIsSeenByTheOthersAndByNoOtherContainer() throws Exception {
        FilePath one = containers.create("one", image());
        FuseMount made = rig.mount("one", one);
        try {
            Commands.run(made.directory(), "sh", "-c", "echo x > etc/x; ln etc/x etc/y; ln etc/x bin/x");
        } finally {
            made.close();
        }
        PushedImage pushed = containers.push("one", ImageName.parse("app:v2").orElseThrow(), home);
        FilePath two = containers.create("two", ImageName.parse("app:v2").orElseThrow());
        FuseMount mount = rig.mount("two", two);
        try {
            Commands.run(mount.directory(), "sh", "-ec", """
                    echo more >> etc/y
                    test "$(cat bin/x)" = "$(printf 'x\\nmore')"
                    test "$(stat -c %i-%h bin/x)" = "$(stat -c %i-%h etc/x)"
                    test "$(stat -c %h etc/y)" = 3
                    rm etc/x
                    test "$(stat -c %h bin/x)" = 2
                    chmod 600 bin/x
                    test "$(stat -c %a etc/y)" = 600
                    """);
        } finally {
            mount.close();
        }
        PushedImage changed = containers.push("two", ImageName.parse("app:v3").orElseThrow(), home);
        assertThat(changed.layer()).isNotEqualTo(pushed.layer());
        FilePath three = containers.create("three", ImageName.parse("app:v3").orElseThrow());
        assertThat(stat(three, "bin", "x").version())
                .isEqualTo(stat(three, "etc", "y").version());
        assertThat(stat(three, "etc", "y").attributes().length()).isEqualTo(7);
        FilePath other = containers.create("other", ImageName.parse("app:v2").orElseThrow());
        assertThat(stat(other, "etc", "x").attributes().length()).isEqualTo(2);
        assertThat(stat(other, "bin", "x").extras().links()).isEqualTo(3);
    }

    private FileStatus stat(FilePath root, String... names) throws IOException {
        FilePath at = root;
        for (String name : names) {
            at = at.child(name);
        }
        return rig.mount().bdt().stat(at).orElseThrow();
    }

    private void give(FilePath path, ExtendedChange step) throws IOException {
        assertThat(rig.mount().bdt().setAttributes(path, AttributeChange.ofExtended(step)))
                .isEqualTo(Outcome.DONE);
    }

    private Map<String, ExtendedValue> given(FilePath path) throws IOException {
        return rig.mount().bdt().extended(path).orElseThrow();
    }

    @Test
    void extendedAttributesGoIntoThePushedLayerAndComeOutOfIt() throws Exception {
        FilePath one = containers.create("one", image());
        ExtendedValue capability = new ExtendedValue(new byte[] {1, 0, 0, 2, 0, 32, 0, 0});
        give(one.child("etc").child("a"), ExtendedChange.put("security.capability", capability));
        give(one.child("etc"), ExtendedChange.put("user.of", capability));
        ExtendedValue noText = new ExtendedValue(new byte[] {-1});
        give(one.child("etc"), ExtendedChange.put("user.no", noText));
        RareAttributeChange nanos = new RareAttributeChange(List.of(), 456_789, Optional.empty());
        assertThat(rig.mount()
                        .bdt()
                        .setAttributes(
                                one.child("etc").child("a"),
                                AttributeChange.ofMtime(5_123).with(nanos)))
                .isEqualTo(Outcome.DONE);
        PushedImage pushed = containers.push("one", ImageName.parse("app:v2").orElseThrow(), home);
        assertThat(pushed.entries()).as("the root, etc, a").isEqualTo(3);
        FilePath two = containers.create("two", ImageName.parse("app:v2").orElseThrow());
        assertThat(given(two.child("etc").child("a"))).isEqualTo(Map.of("security.capability", capability));
        FileStatus a = rig.mount().bdt().stat(two.child("etc").child("a")).orElseThrow();
        assertThat(a.attributes().mtimeMillis()).isEqualTo(5_123);
        assertThat(a.extras().nanos()).isEqualTo(456_789);
        // The new root is the old one's snapshot, and others get the layer.
        assertThat(given(two.child("etc"))).isEqualTo(Map.of("user.of", capability, "user.no", noText));
        FilePath layer = registry.trees()
                .directory(Image.digest(pushed.layer()))
                .child(LayerTrees.DIFF)
                .child("etc");
        assertThat(given(layer)).isEqualTo(Map.of("user.of", capability, "user.no", noText));
        assertThat(given(layer.child("a"))).isEqualTo(Map.of("security.capability", capability));
        FileStatus inLayer = rig.mount().bdt().stat(layer.child("a")).orElseThrow();
        assertThat(inLayer.extras()).isEqualTo(a.extras());
        give(two.child("etc").child("a"), ExtendedChange.CLEAR);
        give(two.child("etc"), ExtendedChange.CLEAR);
        PushedImage unused = containers.push("two", ImageName.parse("app:v3").orElseThrow(), home);
        FilePath three = containers.create("three", ImageName.parse("app:v3").orElseThrow());
        assertThat(given(three.child("etc").child("a"))).isEmpty();
        assertThat(given(three.child("etc"))).isEmpty();
    }

    @Test
    void aContainerOfASnapshotIsThereBeforeTheImageIsPublished() throws Exception {
        FilePath root = containers.create("one", image());
        ImageName next = ImageName.parse("app:v2").orElseThrow();
        write(root, "etc/new", "first");
        containers.snapshot("one", next);
        write(root, "etc/late", "after the snapshot");
        assertThat(registry.manifests().byTag("app", "v2")).isEmpty();
        FilePath two = containers.create("two", next);
        assertThat(names(two.child("etc"))).contains("new", "a").doesNotContain("late");
        // The pushed image has both changes.
        write(two, "etc/more", "second");
        PushedImage pushed = containers.push("two", ImageName.parse("app:v3").orElseThrow(), home);
        assertThat(pushed.entries()).isEqualTo(4);
        containers.create("three", ImageName.parse("app:v3").orElseThrow());
        assertThat(look("three")).containsKeys("etc/new", "etc/more", "hidden/z");
        // The snapshot is published, and is no more.
        PushedImage published = containers.publish(next, home).orElseThrow();
        assertThat(registry.manifests().byTag("app", "v2").orElseThrow().digest())
                .hasToString(published.digest());
        assertThat(registry.files().stat(registry.layout().snapshot("app", "v2")))
                .isEmpty();
        assertThat(containers.publish(next, home)).isEmpty();
        Digest image = Image.digest(published.digest());
        assertThat(registry.files().stat(registry.layout().root("app", image)))
                .as("no server has to merge layers for it")
                .isPresent();
        // A registry still notes it under its chain ids.
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.isSettled("app", image)).isFalse();
        assertThat(trees.make("app", image)).isEqualTo(ImageTrees.Result.MADE);
        assertThat(trees.isSettled("app", image)).isTrue();
        containers.create("four", next);
        assertThat(look("four")).containsKeys("etc/new", "hidden/z").doesNotContainKeys("etc/late", "etc/more");
    }

    @Test
    void ofTwoSnapshotsTheLaterCountsAndAPushByOthersCountsMore() throws Exception {
        FilePath root = containers.create("one", image());
        ImageName next = ImageName.parse("app:v2").orElseThrow();
        write(root, "etc/first", "x");
        containers.snapshot("one", next);
        write(root, "etc/second", "x");
        containers.snapshot("one", next);
        assertThat(names(containers.create("two", next).child("etc"))).contains("first", "second");
        byte[] other = tar(Files.createDirectories(home.resolve("other")));
        String unused = rig.pushImage("app", "v2", List.of(other), List.of(LayerRig.digest(other)));
        assertThat(names(containers.create("three", next))).isEmpty();
        assertThat(containers.publish(next, home)).isEmpty();
        assertThat(names(containers.create("four", next))).isEmpty();
    }

    private void write(FilePath root, String path, String text) throws IOException {
        FilePath at = new FilePath(root.value() + "/" + path);
        try (PackingOutput out = rig.files().create(at)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> names(FilePath directory) throws IOException {
        return rig.files().list(directory, "", 1_000).orElseThrow().stream()
                .map(entry -> entry.path().name())
                .toList();
    }

    private static Map<String, String> withoutTimesOfDirectories(Map<String, String> described) {
        described.replaceAll((path, has) -> has.endsWith(": directory") ? has.replaceAll(" at -?[0-9]+:", "") : has);
        return described;
    }

    @Test
    void namesAreUsedOnceAndImagesMustBeThere() throws Exception {
        ImageName image = image();
        containers.create("one", image);
        assertThatThrownBy(() -> containers.create("one", image)).hasMessageContaining("there is one of this name");
        assertThatThrownBy(() -> containers.create("../x", image)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        containers.create("two", ImageName.parse("app:none").orElseThrow()))
                .hasMessageContaining("none");
        assertThat(containers.remove("one")).isTrue();
        assertThat(containers.remove("one")).isFalse();
        assertThat(containers.exists("one")).isFalse();
    }
}
