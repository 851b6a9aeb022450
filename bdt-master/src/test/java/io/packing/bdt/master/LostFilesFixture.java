// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;

/** A mount whose master loses its disk, and workers that come back with their files. */
abstract class LostFilesFixture extends MountFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    /** A claim of a session, as its worker remembers it. */
    static Reclaim granted(WorkerSession session, String path) throws IOException {
        long id = session.newFileId();
        ClaimResult result = session.claim(new Claim(id, new FilePath(path), FILE, true, true))
                .join();
        return new Reclaim(((ClaimResult.Granted) result).version(), new FilePath(path), FILE);
    }

    /** As a worker names it that has lost its index. */
    static Reclaim forgotten(Reclaim file) {
        return new Reclaim(new FileVersion(file.version().id(), 0), file.path(), file.attributes());
    }

    WorkerSession register(String worker) throws IOException {
        return table.register(new WorkerRegistration(worker, "127.0.0.1:1"));
    }

    void recoverOnce() throws IOException {
        claim("/before");
        push(true);
        loseMaster();
    }

    void uploadJournal() throws IOException {
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
    }

    void delete(String path) throws IOException {
        assertThat(table.delete(new FilePath(path), true)).isEqualTo(Outcome.DONE);
    }

    void rename(String from, String to) throws IOException {
        assertThat(table.rename(new FilePath(from), new FilePath(to))).isEqualTo(Outcome.DONE);
    }
}
