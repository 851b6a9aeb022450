// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.DedupMode;
import io.packing.bdt.Durability;
import io.packing.bdt.PathPatterns;
import io.packing.blob.SealPolicy;
import io.packing.sorted.SortedStoreOptions;
import io.packing.worker.policy.PolicyName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The records of a mount's options refuse what cannot be, by themselves and in a mount. */
final class MountTopicsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static MountOptions mount(String... options) {
        Map<String, String> raw = new HashMap<>(Map.of("packing.store", "file:///tmp/store"));
        for (int i = 0; i < options.length; i += 2) {
            raw.put(options[i], options[i + 1]);
        }
        return MountOptions.from(raw);
    }

    @Test
    void aReadWindowThatIsLargerThanTheCacheIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mount("packing.read.cache.bytes", "1MB"))
                .withMessageContaining("packing.read.window.max.bytes")
                .withMessageContaining("do not fit in packing.read.cache.bytes");
        assertThat(mount("packing.read.cache.bytes", "1MB", "packing.read.window.max.bytes", "1MB")
                        .read())
                .isEqualTo(new ReadOptions(1 << 20, 0, "", ReadPath.STORE, 1 << 20));
    }

    @Test
    void aDiskForPagesThatIsTooSmallOrHasNoDirectoryIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mount("packing.read.disk.bytes", "15MB", "packing.read.disk.dir", "/d"))
                .withMessageContaining("at least 16MB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mount("packing.read.disk.bytes", "16MB"))
                .withMessageContaining("packing.read.disk.dir has to say where");
        ReadOptions read = mount("packing.read.disk.bytes", "16MB", "packing.read.disk.dir", "/d")
                .read();
        assertThat(read.diskBytes()).isEqualTo(16 << 20);
        assertThat(read.diskDirectory()).isEqualTo("/d");
    }

    @Test
    void filesThatShareBytesCannotBeUploadedWhenTheyAreClosed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new WriteOptions(Durability.UPLOADED, PathPatterns.NONE, DedupMode.FILE, Compression.NONE, 1))
                .withMessageContaining("packing.durability=uploaded");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new WriteOptions(Durability.SYNCED, PathPatterns.NONE, DedupMode.NONE, Compression.NONE, 0));
    }

    @Test
    void theMastersTermsHoldWhereTheClientSetsNone() {
        Map<String, String> told = Map.of("packing.durability", "synced", "packing.dedup", "file");
        WriteOptions write = mount().toldBy(told).write();
        assertThat(write.durability()).isEqualTo(Durability.SYNCED);
        assertThat(write.dedup()).isEqualTo(DedupMode.FILE);
        WriteOptions stricter =
                mount("packing.durability", "uploaded").toldBy(told).write();
        assertThat(stricter.durability()).isEqualTo(Durability.UPLOADED);
        assertThat(stricter.dedup())
                .as("more durability than the mount has shares no bytes")
                .isEqualTo(DedupMode.NONE);
    }

    @Test
    void waitsSizesAndCountsThatCannotBeAreRefused() {
        SealPolicy.SealOptions seal = mount().pack().seal();
        PushOptions push = mount().pack().push();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeoutOptions(SECOND, SECOND.negated(), SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PackOptions(0, push, seal, SECOND, 1, PolicyName.FIFO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PackOptions(1, push, seal, SECOND, 0, PolicyName.FIFO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BufferOptions("", 0, SortedStoreOptions.Engine.LEVELDB, BufferValues.SEGMENT));
    }
}
