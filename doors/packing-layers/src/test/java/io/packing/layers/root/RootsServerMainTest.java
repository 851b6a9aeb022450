package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.worker.api.MountOptions;
import org.junit.jupiter.api.Test;

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
}
