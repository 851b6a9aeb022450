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
 * Thread-safe. Every mutation is durable in the master's log, to the degree the mount's durability asks, when it
 * returns. Any method throws {@link UnavailableException} when the master stays out of reach past the client's timeout, and
 * {@link DeniedException} when the caller may not; a mutation throws {@link QuotaExceededException} when a directory would have too much.
 */
public interface Bdt extends AutoCloseable {
    /** The key by which the mount's objects are encrypted; empty: they are not. As it was when the table was opened. */
    default String encryptionKey() {
        return "";
    }

    /**
     * The options that hold for all who use the mount, with their values ({@link MountTerms}). As they were when the table was opened;
     * empty when the master is of an older version.
     */
    default Map<String, String> options() {
        return Map.of();
    }

    /** Attributes of a file or directory; empty when there is none. */
    Optional<FileStatus> stat(FilePath path) throws IOException;

    /**
     * Extended attributes of a file or directory by name; empty when there is none. Listings and {@link #stat} tell a hash of them
     * ({@link FileExtras#extended}), so whoever has them need not ask again.
     */
    default Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        return stat(path).map(there -> Map.of());
    }

    /**
     * Attributes of what is at a path or, when nothing is there, of what is nearest above it: the root in the end. Tells
     * whether something can be made at the path, in one request where the master is remote.
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
     * Returns the same to a caller who is about to create a file or directory at the path.
     *
     * @throws DeniedException when the caller may not
     */
    FileStatus nearestToCreate(FilePath path) throws IOException;

    /**
     * Asks whether the caller may do something to what is at a path, as {@code access(2)} does.
     *
     * @param rights bits of {@link AccessMode}
     * @return whether something is there
     * @throws DeniedException when the caller may not
     */
    boolean access(FilePath path, int rights) throws IOException;

    /**
     * Asks for a user which bytes of a version they may read; only daemons may ask.
     *
     * @param path by which the user opened it: the bytes are those that the file there has, now or in its snapshot
     * @param offset the answer tells of bytes from here on
     * @return empty when there is no such version any more
     * @throws DeniedException when the user may read none of them
     */
    Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset) throws IOException;

    /** Where the bytes of a file are; empty when there is no such file (or it is a directory). */
    Optional<LocatedFile> locate(FilePath path) throws IOException;

    /**
     * The same by identity, wherever the file has been renamed to, and also before its deferred claim has replaced an older
     * file; empty once it is deleted or overwritten.
     */
    Optional<LocatedFile> locate(FileVersion version) throws IOException;

    /**
     * The same for somebody who opened the file, or one that shares the version's bytes, by a path.
     *
     * @throws DeniedException when the caller may read neither what is at the path, if it has these bytes still, nor the file of
     *     the version
     */
    Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException;

    /**
     * Finds a version for a worker that reads it for users, whose rights it asks for by {@link #readable}; only daemons may ask. The answer
     * names neither path nor owner.
     */
    Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException;

    /** Returns whether the caller learns no places in blobs, since workers read them for it. */
    default boolean withholdsPlaces() {
        return false;
    }

    /**
     * A page of a directory's entries in ascending order of their names' UTF-8 bytes, after {@code startAfter}
     * (exclusive, may be empty). Empty page: the end, or an empty directory. Empty optional: no such directory.
     */
    Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException;

    /** The same with the place of each file's bytes. A page that is shorter than the limit need not be the last. */
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
        // A page of which all files went meanwhile is not the end.
        return entries.isEmpty() && !page.get().isEmpty()
                ? listLocated(
                        directory, page.get().get(page.get().size() - 1).path().name(), limit)
                : Optional.of(new ListedPage(entries, false));
    }

    /**
     * What is at each of some paths, in their order, as if each were looked up by itself: {@link #stat}, and {@link #locate} of a file.
     * One request where the master is remote, as long as the answer is not too large for one. Each path is answered from one state of the
     * table; two paths may be answered from two. Nothing is at a path with a component that is no directory. A file of which the table
     * contradicts itself is lost.
     *
     * @param paths at most {@value FoundEntry#MOST_PATHS}; one may come twice
     * @throws IllegalArgumentException when there are more
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
     * A page of the rows of one kind, in the order of the table.
     *
     * @param after the end of the page before; empty: the first page
     */
    default ScanPage scan(ScanPart part, String after) throws IOException {
        throw new UnsupportedOperationException("a table without rows");
    }

    /** Creates a directory, with its parents when asked; {@link Outcome#EXISTS} when it is there already. */
    Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException;

    /** Deletes a file, or a directory (with all below it when recursive). */
    Outcome delete(FilePath path, boolean recursive) throws IOException;

    /** Moves a file or a directory, one write. The destination must not exist, its parent must. */
    Outcome rename(FilePath from, FilePath to) throws IOException;

    /** Changes what the change names, and nothing else. */
    Outcome setAttributes(FilePath path, AttributeChange change) throws IOException;

    /** How many names and bytes a directory may have, and has; empty: there is no such directory, or it has no quota. */
    default Optional<Quota> quota(FilePath directory) throws IOException {
        throw new UnsupportedOperationException("a table without quotas");
    }

    /** Sets or clears the quota of a directory; only superusers may. What is there already stays, however much it is. */
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

    /** The workers of this mount whose lease has not ended. */
    List<WorkerInfo> workers() throws IOException;

    /** Bytes and files by state, and blobs with their live bytes. */
    BdtStatistics statistics() throws IOException;

    /**
     * Uploads to the backing store now whatever a recovery would miss, without waiting for the intervals: at most a
     * journal and a backup. A table that is nowhere backed up has nothing to do.
     */
    default void checkpoint() throws IOException {}

    /**
     * Orders every live worker, with its next heartbeat, to seal and push what it buffers. Does not wait for that; a
     * directory without orders does nothing.
     */
    default void sealNow() throws IOException {}

    @Override
    void close();
}
