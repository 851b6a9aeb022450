// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a worker refuses for the attributes that they are to have: nothing of them is there then. */
final class AttributedFilesTest {
    @TempDir
    private Path temp;

    private static CreateOptions attributed(int values, int bytes) {
        List<ExtendedChange> steps = IntStream.range(0, values)
                .mapToObj(i -> ExtendedChange.put("user." + i, new ExtendedValue(new byte[bytes])))
                .toList();
        return new CreateOptions("o", "g", 0644, true, true)
                .with(5, new RareAttributeChange(steps, 7, Optional.empty()));
    }

    private static void assertRefused(PackingFileSystem mount, FilePath path, CreateOptions options, String why)
            throws Exception {
        PackingOutput out = mount.create(path, options);
        out.write(1);
        assertThatThrownBy(out::close)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path.value())
                .hasMessageContaining(why);
        assertThat(mount.bdt().stat(path)).isEmpty();
    }

    @Test
    void aFileThatWaitsForItsUploadTakesNoAttributes() throws Exception {
        try (MountRig mounts = new MountRig(temp.resolve("rig"), Clock.systemUTC(), "packing.uploaded.paths", "/log")) {
            assertRefused(mounts.mounts.get(0), new FilePath("/log/1"), attributed(1, 1), "waits for its upload");
        }
    }

    @Test
    void moreAttributesThanAFileMayHaveAreRefused() throws Exception {
        try (MountRig mounts = new MountRig(temp.resolve("rig"), Clock.systemUTC())) {
            assertRefused(mounts.mounts.get(0), new FilePath("/d/1"), attributed(3, 60_000), "at most 131,072");
        }
    }
}
