// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.hash.Hashing;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.TraversedClone;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The owner of an entry that a directory shows: the directory itself, or the origin of a clone.
 *
 * @param isInherited whether a clone has it from its origin, or it is of the past
 * @param passages the clones that have it from their origins, from it up; none: no clone has, or one that an older version made
 */
record Inheritance(boolean isInherited, List<TraversedClone> passages) {
    /** The directory's own. */
    static final Inheritance OWN = new Inheritance(false, List.of());

    Inheritance {
        passages = List.copyOf(passages);
    }

    static Inheritance of(Optional<Snapshot> snapshot, List<TraversedClone> passages) {
        boolean isPresent =
                !passages.isEmpty() && passages.get(passages.size() - 1).isPresent();
        return new Inheritance(snapshot.isPresent(), isPresent && snapshot.isPresent() ? passages : List.of());
    }

    /**
     * A number of the clone that has the entry from its origin; 0: none. A file that the clone sees through several clones inside of that origin is another
     * file in each, and has another number.
     */
    long cloneId() {
        if (passages.size() <= 1) {
            return passages.isEmpty() ? 0 : passages.get(0).cloneId();
        }
        String all =
                passages.stream().map(each -> Long.toString(each.cloneId())).collect(Collectors.joining("."));
        return Hashing.sha256().hashString(all, StandardCharsets.US_ASCII).asLong() >>> 2 | 1;
    }
}
