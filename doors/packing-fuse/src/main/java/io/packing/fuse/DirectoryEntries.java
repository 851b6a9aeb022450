// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** Takes entries of a directory until there is no more room. */
public interface DirectoryEntries {
    /** Returns whether the kernel wants nodes with the names. */
    boolean wantsNodes();

    /** Returns whether an entry of this name fits. */
    boolean fits(String name);

    /**
     * Adds a name.
     *
     * @param mode its type counts
     * @param next where a listing goes on behind the entry
     */
    void add(String name, long inode, int mode, long next);

    /** Adds a name with its node, for which the kernel counts a lookup. */
    void add(String name, Entry entry, long next);
}
