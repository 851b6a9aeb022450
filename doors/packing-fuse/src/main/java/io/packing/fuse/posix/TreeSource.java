// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import io.packing.blob.FilePath;
import io.packing.worker.api.MountOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The source of a mounted tree beside the table: names that it makes on demand, and extended attributes, which do not
 * change. Thread-safe.
 */
public interface TreeSource {
    /** A source without entries. */
    TreeSource NONE = new TreeSource() {};

    /** The maker of the source of an open mount. */
    interface Factory {
        TreeSource open(RemotePackingFileSystem mount, MountOptions options) throws IOException;
    }

    /** A learner of entries of a mounted tree, whose next lookups then need not wait. */
    interface Ahead {
        /** Learns the entries of a directory. */
        void learn(FilePath directory) throws IOException;

        /** Learns the entries at paths, the first ones first. A lookup of one of them meanwhile waits for it. */
        void find(List<FilePath> paths) throws IOException;
    }

    /** Runs once, before the first call of the kernel. */
    default void begin(Ahead ahead) {}

    /** Returns whether an entry may appear at a path: the kernel then must not remember a vain lookup. */
    default boolean makes(FilePath path) {
        return false;
    }

    /** Makes an entry after a vain lookup; returns true if the table has it now. */
    default boolean make(FilePath path) throws IOException {
        return false;
    }

    /**
     * Returns whether the mounted directory reuses the names of removed entries. The kernel then asks for each of them
     * each time.
     */
    default boolean reusesNames() {
        return false;
    }

    /** Receives a path in the mounted directory that has another entry, or none, by now. */
    default void wasReplaced(FilePath path) {}

    /** Returns whether an entry has extended attributes that the table does not have. */
    default boolean hasExtendedAttributes() {
        return false;
    }

    /** Returns the extended attributes of an existing path. */
    default Map<String, byte[]> extendedAttributes(FilePath path) throws IOException {
        return Map.of();
    }

    /** Returns whether {@link #wasLookedUp}, {@link #wasListed} and {@link #wasRead} are to be called. */
    default boolean watchesReads() {
        return false;
    }

    /**
     * Notes that the kernel is about to look up a path, as at its first use by a program; it may have no entry. Returns
     * at once.
     */
    default void wasLookedUp(FilePath path) {}

    /** Notes that the kernel is about to list a directory. Returns at once. */
    default void wasListed(FilePath directory) {}

    /**
     * Notes that the kernel read bytes of a file, or the target of a link, which its memory did not have. Returns at
     * once.
     */
    default void wasRead(FilePath path, long offset, int length) {}

    /** Runs once a second. */
    default void tend() {}
}
