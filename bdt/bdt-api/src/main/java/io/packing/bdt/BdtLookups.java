// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers of a mount's table to clients that look names and bytes up. Thread-safe. Any method throws {@link UnavailableException}
 * when the master is unreachable for longer than the client's timeout, and {@link DeniedException} when the caller lacks a right.
 */
public interface BdtLookups {
    /**
     * Returns the key by which the mount's objects are encrypted, as it was when the table was opened; empty without
     * encryption.
     */
    String encryptionKey();

    /**
     * Returns the options that hold for all clients of the mount, with their values ({@link SharedMountOptions}). They are
     * those of the time when the table was opened; empty when the master is of an older version.
     */
    Map<String, String> options();

    /**
     * Returns the places of the mount's blobs; {@link MountHomes#NONE} when they are where the options say.
     *
     * @param again true to ask the master; otherwise they are those of the last time
     */
    MountHomes homes(boolean again) throws IOException;

    /** Returns whether the master names no places in blobs to the caller, since workers read them for it. */
    boolean withholdsPlaces();

    /** Returns the attributes of a file or directory; empty when the path has none. */
    Optional<FileStatus> stat(FilePath path) throws IOException;

    /**
     * Returns the extended attributes of a file or directory by name; empty when the path has none. Listings and {@link
     * #stat} have a hash of them ({@link RareAttributes#extended}), so a client with a copy of them need not ask again.
     */
    Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException;

    /**
     * Returns the attributes of the entry at a path or, without one, of its nearest ancestor; the root in the end. By
     * one request to a remote master a client learns if it can make an entry at the path.
     */
    FileStatus nearest(FilePath path) throws IOException;

    /**
     * Returns the nearest entry to a caller that is about to create a file or directory at the path.
     *
     * @throws DeniedException when the caller may not create it
     */
    FileStatus nearestToCreate(FilePath path) throws IOException;

    /**
     * Checks if the caller has rights on the entry at a path, as {@code access(2)} does.
     *
     * @param rights bits of {@link AccessMode}
     * @return false when the path has no entry
     * @throws DeniedException when the caller lacks a right
     */
    boolean access(FilePath path, int rights) throws IOException;

    /** Returns the place of a file's bytes; empty when the path has no file. */
    Optional<LocatedFile> locate(FilePath path) throws IOException;

    /**
     * Locates a version by its identity, after any rename, and also before its deferred claim has replaced an older
     * file; empty once it is deleted or overwritten.
     */
    Optional<LocatedFile> locate(FileVersion version) throws IOException;

    /**
     * Locates a version for a client that opened the file, or one that shares the version's bytes, by a path.
     *
     * @throws DeniedException when the caller may read neither the file at the path, if it still has these bytes, nor
     *     the file of the version
     */
    Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException;

    /**
     * Returns a page of a directory's entries in ascending order of their names' UTF-8 bytes, after {@code startAfter}
     * (exclusive, may be empty). An empty page is the end, or an empty directory. An empty optional means that the
     * directory does not exist.
     */
    Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException;

    /**
     * Returns a page of a directory's entries with the place of each file's bytes. A page that is shorter than the
     * limit need not be the last.
     */
    Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException;

    /**
     * Returns a page of the names below a clone of a directory that may differ from the directory: entries of the clone's own,
     * and names that it does not show. The page costs what changed in the clone, and not the size of the tree.
     *
     * @param clone a directory
     * @param source the directory that was cloned, in the snapshot that was cloned, such as {@code /d/.snapshot/s}
     * @param after the end of the page before ({@link OwnNames#next}); the root: the first page
     * @throws java.io.FileNotFoundException when one of the directories does not exist
     * @throws UnsupportedOperationException when the table cannot tell, as the one of an older master
     */
    OwnNames ownNames(FilePath clone, FilePath source, FilePath after, int limit) throws IOException;

    /**
     * Looks up several paths, in their order, as by {@link #stat}, and {@link #locate} for a file. A remote master gets
     * one request, unless the answer is too large for one. Each path is answered from one state of the table; two paths
     * may have two states. A path with a component that is no directory has no entry. A file whose rows contradict each
     * other is lost.
     *
     * @param paths at most {@value FoundEntry#MOST_PATHS}, of which some may be equal
     * @throws IllegalArgumentException when they are more
     */
    List<FoundEntry> find(List<FilePath> paths) throws IOException;

    /**
     * Returns a directory's limits and its present names and bytes; empty: the directory does not exist, or has no
     * quota.
     */
    Optional<Quota> quota(FilePath directory) throws IOException;
}
