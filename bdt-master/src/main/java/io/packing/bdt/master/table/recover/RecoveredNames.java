// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.blob.FilePath;

/** The names under which a recovery keeps what met something else at its path. */
final class RecoveredNames {
    private static final String MARK = ".recovered-";

    private RecoveredNames() {}

    /** The name of an entry that makes way. */
    static String name(String name, long id) {
        return name + MARK + id;
    }

    /** The path of a file that meets something at its own. */
    static FilePath file(FilePath path, long id) {
        return new FilePath(path.value() + MARK + id);
    }

    /**
     * The path of a file that meets a file in the place of a directory above it.
     *
     * @param inTheWay a path above
     * @param at of the recovery: what is below one directory stays together
     */
    static FilePath below(FilePath path, FilePath inTheWay, long at) {
        String rest = path.value().substring(inTheWay.value().length());
        return new FilePath(inTheWay.value() + MARK + at + rest);
    }
}
