package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.MountSpec;
import io.packing.worker.api.MountOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RootsMountTest {
    private static final String CACHE = MountOptions.READ_CACHE_BYTES.key();

    @Test
    void aServerHoldsTheLibrariesOfACompilerUnlessItsMountSaysOtherwise() {
        assertThat(options(Map.of())).containsEntry(CACHE, "256MB");
        assertThat(options(Map.of(CACHE, "16MB", "packing.store", "s3://bucket")))
                .isEqualTo(Map.of(CACHE, "16MB", "packing.store", "s3://bucket"));
    }

    private static Map<String, String> options(Map<String, String> given) {
        MountSpec spec = new MountSpec(Path.of("at"), Path.of("state"), "roots", true, true, false);
        return new RootsMount("127.0.0.1:1", new FilePath("/registry"), given, spec, List.of()).serverOptions();
    }
}
