// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.recover.FoundBlobs;
import io.packing.bdt.master.table.row.Reached;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileVersion;
import io.packing.blob.Footer;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proof in the backing store that a table is older than its mount: a backup or a journal beyond its position, or a version
 * in the footer of a blob that the table cannot have given out. Costs a LIST for each thousand objects, and a GET for each blob
 * that the table does not know, which are those of the last seconds before a crash.
 */
public final class NewerInStore {
    private static final Logger LOG = LoggerFactory.getLogger(NewerInStore.class);
    private static final int PARALLEL = 16;

    private final ObjectStore objects;
    private final Keystore keystore;
    private final Reached standing;
    private final FoundBlobs found;

    /**
     * A look at a store.
     *
     * @param standing of the table
     * @param found takes the blobs that the table does not know
     */
    public NewerInStore(ObjectStore objects, Keystore keystore, Reached standing, FoundBlobs found) {
        this.objects = objects;
        this.keystore = keystore;
        this.standing = standing;
        this.found = found;
    }

    /** Returns what the store has that the table has not reached, for people; empty: the store shows nothing. */
    public Optional<String> find(Rows table) throws IOException {
        StoreListing listing = new StoreListing(objects);
        for (MasterObject object : listing.masterObjects()) {
            if (object.kind() != MasterObject.Kind.LEASE_EPOCH && object.last() > standing.position()) {
                return Optional.of("the store has %s".formatted(object.key()));
            }
        }
        return inFooters(listing.unknownBlobs(table));
    }

    private Optional<String> inFooters(List<FooterScan.Blob> blobs) throws IOException {
        List<Callable<Optional<String>>> reads = new ArrayList<>();
        for (FooterScan.Blob blob : blobs) {
            reads.add(() -> inFooter(blob));
        }
        return ParallelCalls.run(PARALLEL, reads).stream()
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> inFooter(FooterScan.Blob blob) throws IOException {
        ObjectSource source =
                new ObjectSource(objects, blob.object().key(), blob.object().length());
        try {
            Footer footer = BlobReader.open(source, blob.name().footerOffset(), keystore)
                    .footer();
            for (PackedFile file : footer) {
                FileVersion version = file.version();
                if (version.generation() > standing.position() || version.id() >= standing.nextId()) {
                    return Optional.of("blob %s has %s as version %s".formatted(blob.name(), file.path(), version));
                }
            }
            found.add(blob.name(), blob.object().length(), footer);
        } catch (CorruptBlobException | ObjectNotFoundException e) {
            LOG.warn(
                    "{} does not tell whether the table knows its files: {}",
                    blob.object().key(),
                    e.getMessage());
        }
        return Optional.empty();
    }
}
