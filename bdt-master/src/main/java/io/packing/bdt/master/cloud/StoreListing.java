// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobName;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mount's objects in the backing store, listed a thousand at a time. */
record StoreListing(ObjectStore objects) {
    private static final Logger LOG = LoggerFactory.getLogger(StoreListing.class);
    private static final int PAGE = 1_000;

    /** The backups, journals and epochs. */
    List<MasterObject> masterObjects() throws IOException {
        List<MasterObject> found = new ArrayList<>();
        String after = "";
        for (List<ObjectInfo> page = objects.list(MasterObject.FOLDER, after, PAGE);
                !page.isEmpty();
                page = objects.list(MasterObject.FOLDER, after, PAGE)) {
            page.forEach(object -> MasterObject.parse(object.key()).ifPresent(found::add));
            after = page.get(page.size() - 1).key();
        }
        return found;
    }

    /** The blobs that a table does not know, or of which it does not have all reports yet. */
    List<FooterScan.Blob> unknownBlobs(Rows rows) throws IOException {
        List<FooterScan.Blob> unknown = new ArrayList<>();
        String after = "";
        for (List<ObjectInfo> page = objects.list(BlobName.FOLDER, after, PAGE);
                !page.isEmpty();
                page = objects.list(BlobName.FOLDER, after, PAGE)) {
            for (ObjectInfo object : page) {
                Optional<BlobName> name = blobName(object.key());
                if (name.isPresent() && !isSettled(rows, name.get())) {
                    unknown.add(new FooterScan.Blob(name.get(), object));
                }
            }
            after = page.get(page.size() - 1).key();
        }
        return unknown;
    }

    private static Optional<BlobName> blobName(String key) {
        try {
            return Optional.of(BlobName.parse(key.substring(BlobName.FOLDER.length())));
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is not a blob and left alone", key);
            return Optional.empty();
        }
    }

    private static boolean isSettled(Rows rows, BlobName name) throws IOException {
        Optional<byte[]> number = rows.get(Keys.named(Keys.BLOB_NUMBER, name.toString()));
        return number.isPresent()
                && rows.get(Keys.numbered(Keys.BLOB, new Bytes.In(number.get()).number()))
                        .map(BlobRow::decode)
                        .map(BlobRow::settled)
                        .orElse(false);
    }
}
