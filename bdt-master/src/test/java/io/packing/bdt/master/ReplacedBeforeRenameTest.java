// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Reclaim;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file that another one replaced before the rename of that one, of which no blob has bytes, over a loss of the table. */
class ReplacedBeforeRenameTest extends LostFilesFixture {
    private Reclaim replaceAndRename() throws IOException {
        claim("/f");
        push(true);
        Reclaim newer = granted(session, "/f");
        rename("/f", "/g");
        uploadJournal();
        return newer;
    }

    /** Seed 114885 of the simulation: it showed at a path that it never had. */
    @Test
    void itDoesNotComeToThePathOfTheNewerOne() throws IOException {
        Reclaim newer = replaceAndRename();
        loseMaster();
        assertThat(names()).isEmpty();
        assertThat(session.reclaim(List.of(newer)).get(0)).contains(newer.version());
        assertThat(table.stat(new FilePath("/g")).orElseThrow().version()).isEqualTo(newer.version());
    }

    @Test
    void theNewerOneIsMovedWhenItsBlobIsThere() throws IOException {
        Reclaim newer = replaceAndRename();
        buffered.add(newer);
        push(true);
        loseMaster();
        assertThat(names()).containsOnlyKeys("/g");
        assertThat(table.stat(new FilePath("/g")).orElseThrow().version()).isEqualTo(newer.version());
    }
}
