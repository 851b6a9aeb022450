// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Reclaim;
import io.packing.bdt.master.cloud.DiskCheck;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Recoveries of a mount whose newest backup is damaged or gone: the backup before and the journals have every change. */
class DamagedBackupTest extends LostFilesFixture {
    private static final String KEY = "small";

    private List<String> backups() {
        return stores.objects.keys("bdt/backup-");
    }

    /** The end of the overwritten version is the only change before the backup, and is not urgent. */
    @Test
    void aVersionThatWasOverwrittenBeforeTheBackupDoesNotComeBack() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        Reclaim over = granted(session, "/f");
        granted(session, "/f");
        table.checkpoint();
        assertThat(backups()).hasSize(2);
        stores.objects.damage(backups().get(1));
        loseMaster();
        assertThat(session.reclaim(List.of(over))).containsExactly(Optional.empty());
    }

    /** The backup has the change, and no journal has it yet. */
    @Test
    void aChangeBetweenTheJournalAndTheBackupComesIntoTheNextJournal() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        rename("/a", "/b");
        uploadJournal();
        AtomicBoolean armed = new AtomicBoolean();
        Uploader uploader = uploader(() -> {
            if (armed.getAndSet(false)) {
                rename("/b", "/c");
            }
        });
        armed.set(true);
        uploader.checkpoint();
        assertThat(armed).isFalse();
        assertThat(backups()).hasSize(2);
        uploadJournal();
        stores.objects.delete(List.of(backups().get(1)));
        loseMaster();
        assertThat(names()).containsOnlyKeys("/c");
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Returns an uploader that encrypts, and takes a step when it asks for the key of a backup: after the journal, before the rows. */
    private Uploader uploader(Step before) throws IOException {
        Keystore keystore = Keystores.open(
                Files.writeString(work.resolve("keys"), "%s@0 %s%n".formatted(KEY, "03".repeat(32)))
                        .toUri(),
                Optional.empty());
        MountKeys keys = new MountKeys(keystore, () -> {
            try {
                before.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return 0;
        });
        keys.use(KEY);
        Mount mount = master.openMount(TestStores.MOUNT);
        return new Uploader(
                new MountStorage("m", mount.table(), stores.objects, work, keys),
                new Uploader.UploadOptions(Duration.ofHours(1), 1, Duration.ofHours(1)),
                mount.lease(),
                DiskCheck.NONE,
                () -> 0);
    }
}
