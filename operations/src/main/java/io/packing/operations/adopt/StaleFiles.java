// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.bdt.Bdt;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Adopted files that cannot be read, since their objects have other versions now. */
final class StaleFiles {
    private final Bdt bdt;
    private final ObjectStore store;
    private final String bucket;

    /**
     * Creates one.
     *
     * @param store of the mount
     * @param bucket of the objects
     */
    StaleFiles(Bdt bdt, ObjectStore store, String bucket) {
        this.bdt = bdt;
        this.store = store;
        this.bucket = bucket;
    }

    /** A file, and the object that the bucket has now at the key of the file. */
    record There(ListedEntry entry, ObjectInfo object) {
        private List<BlobExtent> extents() {
            return entry.placement().orElse(null) instanceof Placement.Packed packed ? packed.extents() : List.of();
        }

        private boolean isAdopted() {
            return !extents().isEmpty()
                    && extents().stream().allMatch(each -> each.extent().codec() == Codec.ADOPTED);
        }
    }

    /**
     * Returns the paths of files that have all their bytes of an earlier version of their object. A file that a client has written or renamed
     * since, or that was packed, is not one of them.
     */
    Set<FilePath> among(List<There> files) throws IOException {
        List<BlobExtent> extents = files.stream()
                .filter(There::isAdopted)
                .flatMap(each -> each.extents().stream())
                .distinct()
                .sorted(AdoptedNames.BY_PLACE)
                .toList();
        List<AdoptedObject> names = AdoptedNames.read(store, extents);
        Map<BlobExtent, AdoptedObject> objects = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            objects.put(extents.get(i), names.get(i));
        }
        Set<FilePath> stale = new HashSet<>();
        for (There each : files) {
            boolean isStale = each.isAdopted()
                    && each.extents().stream()
                            .allMatch(extent -> isEarlier(Objects.requireNonNull(objects.get(extent)), each.object()));
            if (isStale) {
                stale.add(each.entry().status().path());
            }
        }
        return stale;
    }

    private boolean isEarlier(AdoptedObject adopted, ObjectInfo now) {
        return adopted.bucket().equals(bucket)
                && adopted.key().equals(now.key())
                && (!adopted.version().equals(now.version()) || adopted.length() != now.length());
    }

    /** Deletes a file if it has not changed since it was looked at; returns whether it is gone. */
    boolean delete(ListedEntry entry) throws IOException {
        FilePath path = entry.status().path();
        VectorResult result = bdt.apply(new OperationVector(
                List.of(new Precondition.SameVersion(path, entry.status().version())),
                List.of(new Operation.Delete(path, false))));
        return result instanceof VectorResult.Applied;
    }
}
