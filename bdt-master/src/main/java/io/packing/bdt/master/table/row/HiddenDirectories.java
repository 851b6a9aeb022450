// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.FilePath;
import java.util.List;

/**
 * The directories to which no path leads (RFC 0009). One has the files with several names, each called by its id. Each clone of a tree has
 * one with its twin rows. They have no rows themselves: no id is as high.
 */
public final class HiddenDirectories {
    /** The directory of the files with several names. */
    public static final long FILES = Long.MAX_VALUE - 1;

    /** The path by which a file is shown that was asked for by its version. */
    public static final FilePath FILES_PATH = FilePath.RESERVED.child("links");

    /** Above all ids, and below these directories. */
    private static final long FIRST = 1L << 62;

    private HiddenDirectories() {}

    /** Returns whether a directory is one of these. */
    public static boolean isHidden(long directory) {
        return directory >= FIRST;
    }

    /** Returns the place of a file with several names. */
    public static EntryLink file(long file) {
        return new EntryLink(FILES, Long.toString(file));
    }

    /** Returns the directory of the twin rows of a clone. */
    public static long twins(long clone) {
        return FILES - clone;
    }

    /** Returns the clone whose twin rows a directory has. */
    public static long cloneOf(long twins) {
        return FILES - twins;
    }

    /**
     * Returns the place of the twin row of a file in a clone.
     *
     * @param below clones that the file is seen through before this one: a file may be several, each in another clone inside of the clone's origin
     */
    public static EntryLink twin(long clone, long file, List<TraversedClone> below) {
        StringBuilder name = new StringBuilder().append(file);
        below.forEach(each -> name.append('.').append(each.cloneId()));
        return new EntryLink(twins(clone), name.toString());
    }
}
