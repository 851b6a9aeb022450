// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Placement;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Dumps of a user to whom the master names no places. */
final class WithheldDumpTest {
    @Test
    void aDumpWithoutPlacesIsRefused() throws IOException {
        FileStatus status = new FileStatus(
                new FilePath("/f"),
                new FileVersion(1, 1),
                new FileAttributes(5, 0, "o", "g", 0644),
                FileStatus.State.PACKED);
        DumpedEntry entry = new DumpedEntry(
                new ListedEntry(status, Optional.of(new Placement.Withheld())),
                RareAttributeChange.NONE,
                Optional.empty());
        DumpHeader header = new DumpHeader(FilePath.ROOT, "file:///store", "2026-11-29T00:00:00Z");
        try (DumpWriter writer = new DumpWriter(new ByteArrayOutputStream(), header)) {
            assertThatThrownBy(() -> writer.add(entry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("bdt.places=daemons")
                    .hasMessageContaining("superuser's certificate");
        }
    }
}
