package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The blob descriptor table of one mount (§4.2): its namespace, and for every file the owning worker or the extents.
 * Thread-safe. Every mutation, when it returns, is durable in the master's log to the degree of the mount's durability.
 * Any method throws {@link UnavailableException} when the master is unreachable for longer than the client's timeout,
 * and {@link DeniedException} when the caller lacks a right. A mutation throws {@link QuotaExceededException} when it
 * would exceed a directory's quota.
 */
public interface Bdt extends AutoCloseable {
    /**
     * Returns the key by which the mount's objects are encrypted, as it was when the table was opened; empty without
     * encryption.
     */
    default String encryptionKey() {
        return "";
    }

    /**
     * Returns the options that hold for all clients of the mount, with their values ({@link SharedMountOptions}). They are
     * those of the time when the table was opened; empty when the master is of an older version.
     */
    default Map<String, String> options() {
        return Map.of();
    }

    /** Returns the attributes of a file or directory; empty when the path has none. */
    Optional<FileStatus> stat(FilePath path) throws IOException;

    /**
     * Returns the extended attributes of a file or directory by name; empty when the path has none. Listings and {@link
     * #stat} have a hash of them ({@link RareAttributes#extended}), so a client with a copy of them need not ask again.
     */
    default Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return stat(path).map(there -> Map.of());
    }

    /**
     * Returns the attributes of the entry at a path or, without one, of its nearest ancestor; the root in the end. By
     * one request to a remote master a client learns if it can make an entry at the path.
     */
    default FileStatus nearest(FilePath path) throws IOException {
        for (FilePath at = path; ; at = at.parent().orElseThrow()) {
            Optional<FileStatus> there = stat(at);
            if (there.isPresent()) {
                return there.get();
            }
        }
    }

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

    /**
     * Returns the bytes of a version that a user may read; only daemons may ask.
     *
     * @param path by which the user opened it: the file there, now or in its snapshot, determines the bytes
     * @param offset from which on the answer covers the bytes
     * @return empty when the version is gone
     * @throws DeniedException when the user may read none of them
     */
    Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset) throws IOException;

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
     * Locates a version for a worker that reads it for users, and checks their rights by {@link #readable}; only
     * daemons may ask. The answer names neither path nor owner.
     */
    Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException;

    /** Returns whether the master names no places in blobs to the caller, since workers read them for it. */
    default boolean withholdsPlaces() {
        return false;
    }

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
    default Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        Optional<List<FileStatus>> page = list(directory, startAfter, limit);
        if (page.isEmpty()) {
            return Optional.empty();
        }
        List<ListedEntry> entries = new ArrayList<>();
        for (FileStatus status : page.get()) {
            Optional<LocatedFile> file = status.isDirectory() ? Optional.empty() : locate(status.path());
            if (status.isDirectory() || file.isPresent()) {
                entries.add(new ListedEntry(
                        file.map(LocatedFile::status).orElse(status), file.map(LocatedFile::placement)));
            }
        }
        // All files of a page may go meanwhile, and that is not the end.
        return entries.isEmpty() && !page.get().isEmpty()
                ? listLocated(
                        directory, page.get().get(page.get().size() - 1).path().name(), limit)
                : Optional.of(new ListedPage(entries, false));
    }

    /**
     * Looks up several paths, in their order, as by {@link #stat}, and {@link #locate} for a file. A remote master gets
     * one request, unless the answer is too large for one. Each path is answered from one state of the table; two paths
     * may have two states. A path with a component that is no directory has no entry. A file whose rows contradict each
     * other is lost.
     *
     * @param paths at most {@value FoundEntry#MOST_PATHS}, of which some may be equal
     * @throws IllegalArgumentException when they are more
     */
    default List<FoundEntry> find(List<FilePath> paths) throws IOException {
        FoundEntry.checkCount(paths.size());
        List<FoundEntry> found = new ArrayList<>(paths.size());
        for (FilePath path : paths) {
            found.add(find(path));
        }
        return found;
    }

    private FoundEntry find(FilePath path) throws IOException {
        Optional<FileStatus> status;
        try {
            status = stat(path);
        } catch (DeniedException e) {
            return FoundEntry.of(e);
        }
        if (status.isPresent() && !status.get().isDirectory()) {
            try {
                Optional<LocatedFile> file = locate(path);
                if (file.isPresent()) {
                    return FoundEntry.of(new ListedEntry(
                            file.get().status(), Optional.of(file.get().placement())));
                }
                // It went meanwhile, or a directory took its place.
                status = stat(path).filter(FileStatus::isDirectory);
            } catch (DeniedException e) {
                return FoundEntry.of(new ListedEntry(status.get(), Optional.empty()));
            }
        }
        return status.map(there -> FoundEntry.of(new ListedEntry(there, Optional.empty())))
                .orElse(FoundEntry.NOTHING);
    }

    /**
     * Returns a page of the rows of one kind, in the order of the table.
     *
     * @param after the end of the page before; empty: the first page
     */
    default ScanPage scan(ScanPart part, String after) throws IOException {
        throw new UnsupportedOperationException("a table without rows");
    }

    /** Creates a directory, with its parents if asked; {@link Outcome#EXISTS} when it exists already. */
    Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException;

    /** Deletes a file, or a directory (with all below it when recursive). */
    Outcome delete(FilePath path, boolean recursive) throws IOException;

    /** Moves a file or a directory, by one write. The destination must not exist, its parent must. */
    Outcome rename(FilePath from, FilePath to) throws IOException;

    /** Changes the attributes that the change names. */
    Outcome setAttributes(FilePath path, AttributeChange change) throws IOException;

    /**
     * Returns a directory's limits and its present names and bytes; empty: the directory does not exist, or has no
     * quota.
     */
    default Optional<Quota> quota(FilePath directory) throws IOException {
        throw new UnsupportedOperationException("a table without quotas");
    }

    /**
     * Sets or clears the quota of a directory; only superusers may. Present names and bytes stay, even beyond the
     * limit.
     */
    default Outcome setQuota(FilePath directory, QuotaChange change) throws IOException {
        throw new UnsupportedOperationException("a table without quotas");
    }

    /** Applies all operations of a vector, or none of them. */
    VectorResult apply(OperationVector vector) throws IOException;

    /**
     * Makes this process the one writer of a worker id: older sessions of the same id are fenced.
     *
     * @throws WorkerInUseException when another process has the id and is alive
     */
    WorkerSession register(WorkerRegistration registration) throws IOException;

    /** Returns the workers of this mount whose lease has not ended. */
    List<WorkerInfo> workers() throws IOException;

    /** Returns bytes and files by state, and blobs with their live bytes. */
    BdtStatistics statistics() throws IOException;

    /**
     * Uploads at once all changes that a recovery would miss now: at most a journal and a backup. A table without a
     * backup does nothing.
     */
    default void checkpoint() throws IOException {}

    /**
     * Orders every live worker, with its next heartbeat, to seal and push its buffered files. It does not wait for
     * them; a table without workers does nothing.
     */
    default void sealNow() throws IOException {}

    @Override
    void close();
}
