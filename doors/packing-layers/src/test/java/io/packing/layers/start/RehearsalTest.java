// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.CountedMount;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server starts containers of its own before the first real one, and leaves nothing but its rehearsal's files. */
@Timeout(300)
class RehearsalTest {
    @TempDir
    private Path home;

    private LayerRig rig;
    private CountedMount machine;

    @BeforeEach
    void start() throws IOException {
        rig = new LayerRig(home);
        machine = new CountedMount(rig);
    }

    @AfterEach
    void stop() throws IOException {
        machine.close();
        rig.close();
    }

    /** Rehearses so many starts; returns how many requests to the store they made. */
    private int rehearse(int starts) throws IOException {
        AtomicInteger left = new AtomicInteger(starts);
        int before = machine.gets();
        new Rehearsal(
                        machine.mount(),
                        machine.files(),
                        LayerRig.REGISTRY,
                        new ContainerStarts.Threads(Runnable::run, Runnable::run, Runnable::run),
                        home.resolve("rehearsal"),
                        OpenRegistry::id,
                        () -> 1)
                .run(() -> left.getAndDecrement() > 0);
        assertThat(home.resolve("rehearsal")).doesNotExist();
        return machine.gets() - before;
    }

    private List<String> names(FilePath directory) throws IOException {
        return rig.files().list(directory, "", 100).orElse(List.of()).stream()
                .map(FileStatus::path)
                .map(FilePath::name)
                .toList();
    }

    @Test
    void eachStartFetchesFromTheStoreAgain() throws IOException {
        int made = rehearse(0);
        int two = rehearse(2);
        assertThat(two).isPositive();
        int six = rehearse(6);
        assertThat(six).as("requests of six starts, after %d and %d", made, two).isGreaterThanOrEqualTo(2 * two);
    }

    @Test
    void theRegistryHasNoContainerMore() throws IOException {
        rehearse(2);
        assertThat(names(new Layout(LayerRig.REGISTRY).containers())).isEmpty();
        FilePath rehearsal = new Layout(LayerRig.REGISTRY).rehearsal();
        List<String> all = names(rehearsal);
        Layout layout = new Layout(rehearsal);
        assertThat(names(layout.containers())).containsExactly("image", "known", "unknown");
        assertThat(names(layout.container("known"))).containsExactly("root", "start");
        assertThat(names(layout.scratch("-").parent().orElseThrow())).isEmpty();
        rehearse(2);
        assertThat(names(rehearsal)).isEqualTo(all);
    }

    @Test
    void whatAnotherServerDidNotFinishIsMade() throws IOException {
        rehearse(0);
        Layout layout = new Layout(new Layout(LayerRig.REGISTRY).rehearsal());
        FilePath start = layout.container("known").child(Layout.START);
        VectorResult unused =
                rig.files().apply(new VectorBuilder().delete(start).build());
        rehearse(1);
        assertThat(names(start)).hasSizeGreaterThan(1);
    }
}
