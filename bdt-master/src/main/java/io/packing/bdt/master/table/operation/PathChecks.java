// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.blob.FilePath;

/** Checks of the paths that a mutation names. */
final class PathChecks {
    private PathChecks() {}

    /** Refuses to change what a snapshot has. */
    static void checkPresent(FilePath path) {
        if (path.isPast()) {
            throw new IllegalArgumentException("%s: a snapshot is never changed".formatted(path));
        }
    }

    /** Refuses to make an entry at a path that is too long or too deep. One that is there already may be. */
    static void checkCreatable(FilePath path) {
        path.whyNotCreatable().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }
}
