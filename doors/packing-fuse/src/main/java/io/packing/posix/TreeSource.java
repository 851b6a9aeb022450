package io.packing.posix;

import io.packing.blob.FilePath;
import io.packing.worker.api.MountOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What a mounted tree has beside the table: names that come to be when a program asks for them, and extended attributes, which do not
 * change. Thread-safe.
 */
public interface TreeSource {
    /** A tree that has nothing beside the table. */
    TreeSource NONE = new TreeSource() {};

    /** Makes the source of a mount that is open. */
    interface Factory {
        TreeSource open(RemotePackingFileSystem mount, MountOptions options) throws IOException;
    }

    /** Learns what a mounted tree has, so that whoever looks it up next need not wait for it. */
    interface Ahead {
        /** Learns what a directory has. */
        void learn(FilePath directory) throws IOException;

        /** Learns what is at paths, the first ones first. Whoever looks up one of them meanwhile waits for it. */
        void find(List<FilePath> paths) throws IOException;
    }

    /** Called once, before the first call of the kernel. */
    default void begin(Ahead ahead) {}

    /** Whether something may come to be at a path: the kernel then must not remember that nothing is there. */
    default boolean makes(FilePath path) {
        return false;
    }

    /** Makes what was asked for in vain; returns whether it is in the table now. */
    default boolean make(FilePath path) throws IOException {
        return false;
    }

    /** Whether the directory that is mounted gives names to others, once what had them is gone. The kernel asks for each of them each time then. */
    default boolean reusesNames() {
        return false;
    }

    /** Something else, or nothing, is at a path in the directory that is mounted. */
    default void wasReplaced(FilePath path) {}

    /** Whether anything has extended attributes that the table does not have. */
    default boolean hasExtendedAttributes() {
        return false;
    }

    /** Those of a path, which is there. */
    default Map<String, byte[]> extendedAttributes(FilePath path) throws IOException {
        return Map.of();
    }

    /** Whether {@link #wasLookedUp}, {@link #wasListed} and {@link #wasRead} are to be called. */
    default boolean watchesReads() {
        return false;
    }

    /** The kernel is about to look up what is at a path, as it does when a program first uses it; nothing may be there. Returns at once. */
    default void wasLookedUp(FilePath path) {}

    /** The kernel is about to list a directory. Returns at once. */
    default void wasListed(FilePath directory) {}

    /** The kernel read bytes of a file, or the target of a link, which it had not in its memory. Returns at once. */
    default void wasRead(FilePath path, long offset, int length) {}

    /** Called once a second. */
    default void tend() {}
}
