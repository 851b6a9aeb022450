package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Reclaim;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Recoveries of a mount whose newest backup is damaged: the backup before and the journals have every change. */
class DamagedBackupTest extends LostFilesFixture {
    /** The end of the overwritten version is the only change before the backup, and is not urgent. */
    @Test
    void aVersionThatWasOverwrittenBeforeTheBackupDoesNotComeBack() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        Reclaim over = granted(session, "/f");
        granted(session, "/f");
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        assertThat(backups).hasSize(2);
        stores.objects.damage(backups.get(1));
        loseMaster();
        assertThat(session.reclaim(List.of(over))).containsExactly(Optional.empty());
    }
}
