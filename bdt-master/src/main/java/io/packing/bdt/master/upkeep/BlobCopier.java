// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.cloud.DiskCheck;
import io.packing.blob.BlobVerifier;
import io.packing.blob.ChecksummedSource;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileRangeSource;
import io.packing.blob.SoundRead;
import io.packing.blob.VerifiedBlob;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of blobs from one store to another: by the server that has both, or over this machine, which checks each byte on the way.
 * Thread-safe.
 */
final class BlobCopier {
    private static final Logger LOG = LoggerFactory.getLogger(BlobCopier.class);

    private final Path scratch;
    private final Keystore keystore;
    private final DiskCheck disk;
    /** False when the server refused a copy, as when its rights on the two stores are in different hands. */
    private volatile boolean byServer = true;

    /**
     * @param scratch folder of temporary files
     * @param disk asked before a blob is written there
     */
    BlobCopier(Path scratch, Keystore keystore, DiskCheck disk) {
        this.scratch = scratch;
        this.keystore = keystore;
        this.disk = disk;
    }

    /** Copies a blob; one that is gone meanwhile needs no copy. */
    void copy(ObjectStore from, ObjectStore to, ObjectInfo blob) throws IOException {
        if (byServer && to.takesCopies(from, blob.length())) {
            try {
                to.copy(from, blob);
                return;
            } catch (StoreUnavailableException | ObjectNotFoundException e) {
                throw e;
            } catch (IOException e) {
                byServer = false;
                LOG.warn(
                        "{} copies no objects of {}; they are read and written: {}",
                        to.location(),
                        from.location(),
                        e.toString());
            }
        }
        stream(from, to, blob);
    }

    private void stream(ObjectStore from, ObjectStore to, ObjectInfo blob) throws IOException {
        disk.admit(blob.length());
        Path file = scratch.resolve("evacuated-" + UUID.randomUUID());
        try {
            OptionalInt crc = downloaded(from, blob, file);
            to.put(blob.key(), file, crc, PutCondition.NONE);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Returns the checksum of the blob's verified bytes; empty when the blob is damaged in its store, too. */
    private OptionalInt downloaded(ObjectStore from, ObjectInfo blob, Path file) throws IOException {
        for (int tries = 1; ; tries++) {
            from.download(blob.key(), file);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ChecksummedSource source = new ChecksummedSource(new FileRangeSource(file.toString(), channel));
                VerifiedBlob unused = BlobVerifier.verifyOwn(source, keystore);
                return OptionalInt.of(source.crc32c());
            } catch (CorruptBlobException e) {
                if (tries == SoundRead.TRIES) {
                    LOG.warn("{} of {} is damaged, and is copied as it is", blob.key(), from.location(), e);
                    return OptionalInt.empty();
                }
                Files.delete(file);
            }
        }
    }
}
