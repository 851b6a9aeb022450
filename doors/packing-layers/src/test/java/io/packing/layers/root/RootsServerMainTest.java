package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.layers.CountedMount;
import io.packing.layers.LayerRig;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RootsServerMainTest {
    private static final String CACHE = MountOptions.READ_CACHE_BYTES.key();
    private static final String[] FIXED = {
        "127.0.0.1:1", "/containers", "at", "state", "ro", "1000", "packing.store=s3://b"
    };

    @Test
    void aServerHoldsHalfOfItsHeapUnlessItsMountSaysOtherwise() {
        assertThat(RootsServerMain.withCache(FIXED, 512 << 20))
                .startsWith(FIXED)
                .hasSize(FIXED.length + 1)
                .endsWith(CACHE + "=268435456");
        String[] given = FIXED.clone();
        given[FIXED.length - 1] = CACHE + "=16MB";
        assertThat(RootsServerMain.withCache(given, 512 << 20)).isEqualTo(given);
    }

    @Test
    void aMountThatWorkersReadHasNoPagesToStartFrom(@TempDir Path home) throws IOException {
        try (LayerRig rig = new LayerRig(home);
                CountedMount reads = new CountedMount(rig);
                CountedMount through = new CountedMount(rig, Map.of(MountOptions.READ_THROUGH.key(), "workers"))) {
            RootsServerMain.checkReadsStore(reads.mount());
            assertThatThrownBy(() -> RootsServerMain.checkReadsStore(through.mount()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("packing.read.through=store");
        }
    }
}
