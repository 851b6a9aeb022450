// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ReadOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The reads of an image's starting container are kept, and brought to the next machine before a container reads there.
 */
@Timeout(300)
class ContainerStartsTest extends StartsFixture {
    @Test
    void theNextMachineHasWhatAStartReadsBeforeItIsRead() throws Exception {
        startOnce("one", IMAGE);
        assertThat(entries(kept())).as("index and pieces").hasSizeGreaterThan(1);
        Machine second = new Machine();
        FilePath root = container("two", IMAGE);
        second.starts.lookedUp(root);
        assertThat(second.read(root.child("program"), program)).isZero();
        assertThat(second.read(root.child("a library"), library)).isZero();
        // It asked for the pages of the kept pack, which stays.
        List<FileStatus> before = entries(kept());
        second.endStart();
        assertThat(entries(kept())).isEqualTo(before);
        // The next container of this machine costs the store nothing.
        int gets = second.counted.gets();
        second.starts.lookedUp(container("three", IMAGE));
        assertThat(second.counted.gets()).isEqualTo(gets);
    }

    @Test
    void aMachineWithALittleMemoryBringsWhatItHasRoomFor() throws Exception {
        startOnce("one", IMAGE);
        Machine small =
                new Machine(Map.of(ReadOptions.CACHE_BYTES.key(), "1MB", ReadOptions.WINDOW_MAX_BYTES.key(), "1MB"));
        FilePath root = container("two", IMAGE);
        int before = small.counted.gets();
        small.starts.lookedUp(root);
        assertThat(small.counted.gets() - before).as("the first piece of 1 MB").isOne();
        small.read(root.child("program"), program);
        small.read(root.child("a library"), library);
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
    void namesOfAStartAreFoundForEachContainerOfTheImage() throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root);
        for (String name : List.of("/usr/bin/a", "/usr", "/usr/b\nin", "/" + "x".repeat(300), "/usr")) {
            first.starts.lookedUp(new FilePath(root.value() + name));
        }
        first.starts.listed(new FilePath(root.value() + "/etc"));
        first.starts.lookedUp(registry.layout().containers());
        first.starts.lookedUp(root.parent().orElseThrow());
        first.starts.lookedUp(new FilePath(root.value() + "-else"));
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
            assertThat(second.found).containsExactly(new FilePath(next + "/usr/bin/a"), new FilePath(next + "/usr"));
            assertThat(second.learnt).containsExactly(next, new FilePath(next + "/etc"));
            second.found.clear();
            second.learnt.clear();
        }
        FilePath here = container("four", IMAGE);
        first.found.clear();
        first.starts.lookedUp(here);
        assertThat(first.found).as("where it was recorded").hasSize(2).contains(here.child("usr"));
    }

    @Test
    void namesOfWhoeverOnlyLooksAroundAreNoPartOfAStart() throws Exception {
        Machine first = new Machine();
        FilePath root = container("one", IMAGE);
        first.starts.lookedUp(root.child("looked around"));
        nanos.addAndGet(StartRecording.LONGEST.toNanos());
        first.starts.step();
        first.starts.lookedUp(root.child("program"));
        first.read(root.child("program"), program);
        first.endStart();
        Machine second = new Machine();
        FilePath next = container("two", IMAGE);
        second.starts.lookedUp(next);
        assertThat(second.found).containsExactly(next.child("program"));
    }

    @Test
    void whereNothingIsKnownTheDirectoriesOfTheLastStartAreLearnt() throws Exception {
        Machine machine = new Machine();
        FilePath root = container("one", IMAGE);
        machine.starts.lookedUp(root);
        for (int i = 0; i < 40; i++) {
            machine.starts.lookedUp(new FilePath(root + "/d" + i + "/a"));
            machine.starts.lookedUp(new FilePath(root + "/d" + i + "/b"));
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
                .startsWith(other, new FilePath(other + "/d0"), new FilePath(other + "/d1"));
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
