// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The names of objects that adopted extents have in place of bytes. */
final class AdoptedNames {
    /** The order in which names are read. */
    static final Comparator<BlobExtent> BY_PLACE = Comparator.comparing(
                    (BlobExtent each) -> each.blob().toString())
            .thenComparingLong(each -> each.extent().blobOffset());

    /** The most bytes of names that one request reads. */
    private static final int MOST_NAMES = 1 << 20;

    private AdoptedNames() {}

    /**
     * Reads names, those of neighbours with one request.
     *
     * @param store of the mount
     * @param sorted adopted extents in the order of {@link #BY_PLACE}
     */
    static List<AdoptedObject> read(ObjectStore store, List<BlobExtent> sorted) throws IOException {
        List<AdoptedObject> objects = new ArrayList<>();
        for (int from = 0; from < sorted.size(); ) {
            BlobName blob = sorted.get(from).blob();
            long start = sorted.get(from).extent().blobOffset();
            int to = from;
            long end = start;
            while (to < sorted.size()
                    && sorted.get(to).blob().equals(blob)
                    && sorted.get(to).extent().blobEnd() - start <= MOST_NAMES) {
                end = Math.max(end, sorted.get(to).extent().blobEnd());
                to++;
            }
            ByteBuffer names = store.get(BlobName.FOLDER + blob.key(), start, (int) (end - start));
            for (BlobExtent each : sorted.subList(from, to)) {
                Extent extent = each.extent();
                ByteBuffer stored = names.slice((int) (extent.blobOffset() - start), extent.storedLength());
                objects.add(ExtentCodec.adopted(blob.toString(), extent, stored));
            }
            from = to;
        }
        return objects;
    }
}
