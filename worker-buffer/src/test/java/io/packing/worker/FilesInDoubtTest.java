// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Reclaim;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.worker.api.BufferValues;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Files whose claims got no answer, when their worker registers again. */
@ParameterizedClass
@EnumSource(BufferValues.class)
final class FilesInDoubtTest extends WorkerFixture {
    /** The master may only see together which of two files of a path is newer (seed 80715 of the simulation). */
    @Test
    void aFileInDoubtIsAskedForAlongWithEarlierOnes() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.seal.quiet", "1h"))) {
            write(mount, "/before", bytes(1, 10), NEW);
            write(mount, "/f", bytes(1, 10), NEW);
            table.endWithNextClaim();
            assertThatThrownBy(() -> write(mount, "/f", bytes(2, 10), OVERWRITE))
                    .isInstanceOf(UnavailableException.class);
            // A claim renews the session.
            write(mount, "/after", bytes(3, 10), NEW);
            assertThat(table.asked.get(0))
                    .extracting(each -> each.version().id())
                    .isSorted()
                    .hasSize(3);
            assertThat(table.asked.get(0)).extracting(Reclaim::path).endsWith(new FilePath("/f"), new FilePath("/f"));
        }
    }

    /** After a loss of the table, a file of another worker at its path may be known to be older (seed 124177). */
    @Test
    void aFileInDoubtThatMayReplaceAnotherHasAPositionFromBeforeItsClaim() throws IOException {
        assertThat(claimedAfter(OVERWRITE)).isPositive();
    }

    /** Its claim may have been refused, as its path may not have been free. */
    @Test
    void aFileInDoubtThatMayReplaceNoneHasNoPosition() throws IOException {
        assertThat(claimedAfter(NEW)).isZero();
    }

    private long claimedAfter(CreateOptions create) throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.seal.quiet", "1h"))) {
            table.endWithNextClaim();
            assertThatThrownBy(() -> write(mount, "/f", bytes(1, 10), create)).isInstanceOf(UnavailableException.class);
            write(mount, "/after", bytes(2, 10), NEW);
            assertThat(table.asked.get(0)).hasSize(1);
            return table.asked.get(0).get(0).claimedAfter();
        }
    }
}
