// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FilePath;
import io.packing.fuse.posix.server.ServerArguments;
import io.packing.layers.CountedMount;
import io.packing.layers.LayerRig;
import io.packing.worker.api.ReadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RootsServerMainTest {
    private static final String CACHE = ReadOptions.CACHE_BYTES.key();
    private static final ServerArguments ARGUMENTS = new ServerArguments(
            "h:1",
            FilePath.ROOT,
            Path.of("/m"),
            Path.of("/s"),
            false,
            Duration.ofSeconds(1),
            Map.of("packing.store", "file:///s"));

    @Test
    void aServerHoldsHalfOfItsHeapUnlessItsMountSaysOtherwise() {
        assertThat(RootsServerMain.withCache(ARGUMENTS, 512 << 20).options())
                .containsExactlyInAnyOrderEntriesOf(Map.of("packing.store", "file:///s", CACHE, "268435456"));
        ServerArguments given = ARGUMENTS.withDefault(CACHE, "16MB");
        assertThat(RootsServerMain.withCache(given, 512 << 20)).isEqualTo(given);
    }

    @Test
    void aMountThatWorkersReadHasNoPagesToStartFrom(@TempDir Path home) throws IOException {
        try (LayerRig rig = new LayerRig(home);
                CountedMount reads = new CountedMount(rig);
                CountedMount through = new CountedMount(rig, Map.of(ReadOptions.THROUGH.key(), "workers"))) {
            RootsServerMain.checkReadsStore(reads.mount());
            assertThatThrownBy(() -> RootsServerMain.checkReadsStore(through.mount()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("packing.read.through=store");
        }
    }
}
