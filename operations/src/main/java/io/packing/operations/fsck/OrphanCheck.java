// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Reach;
import io.packing.bdt.UnavailableException;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileVersion;
import io.packing.blob.Footer;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.operations.walk.BlobObject;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The check that tells unneeded blobs from those with a pending commit: the table still has a file of these as buffered. So a
 * blob that was just pushed is no orphan, however long its worker takes.
 */
final class OrphanCheck {
    private final Bdt bdt;
    private final ObjectStore store;
    private final Keystore keystore;

    OrphanCheck(Bdt bdt, ObjectStore store, Keystore keystore) {
        this.keystore = keystore;
        this.bdt = bdt;
        this.store = store;
    }

    List<Orphan> orphans(List<BlobStates.Unknown> unknown) throws IOException {
        List<Orphan> orphans = new ArrayList<>();
        // After the blobs were listed: what has been given out since then is no other state's.
        Reach reach = bdt.statistics().reach();
        for (BlobStates.Unknown each : unknown) {
            look(each, reach).ifPresent(orphans::add);
        }
        return orphans;
    }

    private Optional<Orphan> look(BlobStates.Unknown blob, Reach reach) throws IOException {
        Footer footer;
        try {
            BlobObject object = new BlobObject(store, blob.key(), blob.length());
            footer = BlobReader.open(object, blob.name().footerOffset(), keystore)
                    .footer();
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        } catch (CorruptBlobException e) {
            return Optional.of(new Orphan(blob.name(), blob.length(), 0, 0, 0));
        }
        int lost = 0;
        int newer = 0;
        for (PackedFile file : footer) {
            FileStatus.State state = state(file.version());
            if (state == FileStatus.State.BUFFERED) {
                return Optional.empty();
            }
            lost += state == FileStatus.State.LOST ? 1 : 0;
            newer += reach.has(file.version()) ? 0 : 1;
        }
        return Optional.of(new Orphan(blob.name(), blob.length(), footer.fileCount(), lost, newer));
    }

    /** Returns the table's state of a version; for a version that is over, DIRECTORY, which has no bytes. */
    private FileStatus.State state(FileVersion version) throws IOException {
        try {
            return bdt.locate(version)
                    .map(LocatedFile::status)
                    .map(FileStatus::state)
                    .orElse(FileStatus.State.DIRECTORY);
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            // The table names a blob that it does not know: this one, it may be.
            return FileStatus.State.LOST;
        }
    }
}
