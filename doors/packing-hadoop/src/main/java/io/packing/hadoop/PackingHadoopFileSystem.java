// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Durability;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount as a Hadoop file system: {@code packing://HOST:PORT/path}, where the authority is the BDT master's and every configuration key {@code
 * packing.*} is an option of the mount. Files are written to a packing worker, of this host if it has one. A new file appears when it is closed.
 */
public final class PackingHadoopFileSystem extends LimitedFileSystem implements LeaseRecoverable {
    public static final String SCHEME = "packing";
    private static final Logger LOG = LoggerFactory.getLogger(PackingHadoopFileSystem.class);
    private static final int PAGE = 1_000;

    static {
        JarDefaults.add();
    }

    private final UserPaths paths = new UserPaths(this::makeQualified);
    private Path working = new Path("/");

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        working = getHomeDirectory();
    }

    @Override
    FilePath path(Path path) throws IOException {
        return paths.inMount(path);
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        FilePath path = path(file);
        try {
            return new FSDataInputStream(new PackingHadoopInput(mount().open(path), bufferSize, statistics));
        } catch (DeniedException e) {
            throw Refusals.of(e);
        } catch (FileNotFoundException e) {
            if (bdt().stat(path).isPresent()) {
                throw new FileNotFoundException(file + " is a directory");
            }
            throw e;
        }
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return create(file, permission, overwrite, true);
    }

    /** @param parents whether the claim, at close, makes the directories above the file that are not there then */
    private FSDataOutputStream create(Path file, FsPermission permission, boolean overwrite, boolean parents)
            throws IOException {
        FilePath path = paths.toChange(file);
        // The claim decides at close; but Hadoop's callers want to know now.
        Refusals.checkCreatable(file, path, bdt().nearestToCreate(path), overwrite, parents);
        CreateOptions creation = new CreateOptions(user(), "", mode(permission), parents, overwrite);
        return stream(file, WrittenFile.create(mount(), path, creation), 0);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path file,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return create(file, permission, flags.contains(CreateFlag.OVERWRITE), false);
    }

    /**
     * Opens a file for appending. Written bytes appear at the end of the file when the stream is flushed or closed, all
     * of them or none. They go to a scratch file, and one vector moves them.
     */
    @Override
    public FSDataOutputStream append(Path file, int bufferSize, @Nullable Progressable progress) throws IOException {
        io.packing.bdt.FileStatus there = changes().toAppend(file);
        long length = there.attributes().length();
        return stream(file, WrittenFile.append(mount(), there, user()), length);
    }

    /** @param position of the next byte in the file */
    private FSDataOutputStream stream(Path file, WrittenFile written, long position) throws IOException {
        boolean syncs = connection().durability() != Durability.BUFFERED;
        return new FSDataOutputStream(new PackingHadoopOutput(file, written, syncs), statistics, position);
    }

    /** Makes present writers of a file fail at their next flush. The file is complete after each flush, so the call waits for nothing. */
    @Override
    public boolean recoverLease(Path file) throws IOException {
        changes().fence(file);
        return true;
    }

    /** Returns true for each file that is there: its bytes are complete, also while a client goes on writing to it. */
    @Override
    public boolean isFileClosed(Path file) throws IOException {
        io.packing.bdt.FileStatus unused = changes().leased(file);
        return true;
    }

    @Override
    public boolean truncate(Path file, long length) throws IOException {
        changes().truncate(file, length);
        return true;
    }

    @Override
    public void concat(Path target, Path[] sources) throws IOException {
        changes().concat(target, sources);
    }

    private InPlaceChanges changes() throws IOException {
        return new InPlaceChanges(bdt(), paths);
    }

    /**
     * Moves an entry, into the destination when that is a directory; returns false when the entry is missing or its place is taken. One request
     * unless something is at the destination.
     */
    @Override
    public boolean rename(Path source, Path destination) throws IOException {
        FilePath from = paths.toChange(source);
        FilePath to = paths.toChange(destination);
        if (from.isRoot()) {
            return false;
        }
        if (from.equals(to)) {
            return bdt().stat(from).filter(file -> !file.isDirectory()).isPresent();
        }
        Outcome outcome = bdt().rename(from, to);
        if (outcome == Outcome.EXISTS || to.isRoot()) {
            boolean into = bdt().stat(to)
                    .filter(io.packing.bdt.FileStatus::isDirectory)
                    .isPresent();
            return into && bdt().rename(from, UserPaths.check(to.child(from.name()))) == Outcome.DONE;
        }
        return outcome == Outcome.DONE;
    }

    /**
     * Renames in one request. With {@code OVERWRITE} the source takes the place of a file or of an empty directory: at no time is nothing
     * there, and a crash loses neither. Without it nothing may be there. {@code FileContext.rename} comes here.
     *
     * @throws org.apache.hadoop.fs.FileAlreadyExistsException without {@code OVERWRITE}, when something is at the destination, also when
     *     another client has just put it there
     */
    @Override
    public void rename(Path source, Path destination, Options.Rename... options) throws IOException {
        EntryChanges changes = new EntryChanges(bdt(), paths);
        if (List.of(options).contains(Options.Rename.OVERWRITE)) {
            changes.replace(source, destination);
        } else {
            changes.move(source, destination);
        }
    }

    /**
     * Copies a file, or a directory with all that is in it, within the mount, at once and whatever its size: the copy shares the bytes. It has
     * the attributes of the source, which may be in a snapshot. Nothing may be at the destination, and its directory has to be there.
     */
    public void copy(Path source, Path destination) throws IOException {
        new EntryChanges(bdt(), paths).copy(source, destination);
    }

    /** Applies operations as one vector; a failure names the path. */
    VectorResult apply(Path about, List<Operation> operations) throws IOException {
        return Refusals.named(about, () -> bdt().apply(new OperationVector(List.of(), operations)));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        FilePath victim = paths.toChange(path);
        if (victim.isRoot()) {
            if (!recursive && !bdt().list(victim, "", 1).orElseThrow().isEmpty()) {
                throw new PathIsNotEmptyDirectoryException(path.toString());
            }
            // HDFS answers so, too. Hadoop's shell makes "Input/output error" of it, so the log explains it.
            LOG.warn("{}: the root is never deleted and nothing was; delete its entries by name", getUri());
            return false;
        }
        Outcome outcome = Refusals.named(path, () -> bdt().delete(victim, recursive));
        return switch (outcome) {
            case DONE -> true;
            case NOT_FOUND, NOT_A_DIRECTORY, NO_PARENT -> false;
            default -> throw Refusals.of(path, outcome, "deleted");
        };
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        byte[] token = new byte[0];
        for (boolean more = true; more; ) {
            DirectoryEntries page = listStatusBatch(path, token);
            all.addAll(List.of(page.getEntries()));
            more = page.hasMore();
            token = page.getToken();
        }
        return all.toArray(FileStatus[]::new);
    }

    /** Returns a page of a directory; the token is the last name of the page before. */
    @Override
    protected DirectoryEntries listStatusBatch(Path path, byte @Nullable [] token) throws IOException {
        FilePath directory = path(path);
        String after = token == null ? "" : new String(token, StandardCharsets.UTF_8);
        // One more than a page: Hadoop's iterator fails at a page that is said to follow, and has nothing.
        Optional<List<io.packing.bdt.FileStatus>> found = bdt().list(directory, after, PAGE + 1);
        if (found.isEmpty()) {
            return new DirectoryEntries(new FileStatus[] {getFileStatus(path)}, new byte[0], false);
        }
        FileStatus[] page = found.get().stream().limit(PAGE).map(this::status).toArray(FileStatus[]::new);
        String last =
                page.length == 0 ? "" : found.get().get(page.length - 1).path().name();
        return new DirectoryEntries(
                page, last.getBytes(StandardCharsets.UTF_8), found.get().size() > PAGE);
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        Outcome outcome =
                bdt().mkdir(paths.toChange(path), new DirectoryAttributes(user(), "", mode(permission)), true);
        if (outcome == Outcome.DONE
                || (outcome == Outcome.EXISTS && getFileStatus(path).isDirectory())) {
            return true;
        }
        throw Refusals.of(path, outcome, "made");
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return status(bdt().stat(path(path)).orElseThrow(() -> new FileNotFoundException(path + " not found")));
    }

    private PackingFileStatus status(io.packing.bdt.FileStatus file) {
        Path path = makeQualified(new Path(
                getUri().getScheme(), getUri().getAuthority(), file.path().value()));
        return new PackingFileStatus(file, path, getDefaultBlockSize(path));
    }

    /** Asks the master for the right, if it knows its caller; else Hadoop goes by the mode and its own user. */
    @Override
    public void access(Path path, FsAction wanted) throws IOException {
        if (!connection().isSecured()) {
            super.access(path, wanted);
            return;
        }
        int rights = (wanted.implies(FsAction.READ) ? AccessMode.READ : 0)
                | (wanted.implies(FsAction.WRITE) ? AccessMode.WRITE : 0)
                | (wanted.implies(FsAction.EXECUTE) ? AccessMode.SEARCH : 0);
        if (!bdt().access(path(path), rights)) {
            throw new FileNotFoundException(path + " not found");
        }
    }

    /** As of Hadoop, with etags. */
    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter) throws IOException {
        return RemoteIterators.mappingRemoteIterator(
                RemoteIterators.filteringRemoteIterator(
                        listStatusIterator(path), status -> filter.accept(status.getPath())),
                this::located);
    }

    private LocatedFileStatus located(FileStatus status) throws IOException {
        return ((PackingFileStatus) status)
                .at(status.isFile() ? getFileBlockLocations(status, 0, status.getLen()) : null);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        String asked = PathCapabilitiesSupport.validatePathCapabilityArgs(makeQualified(path), capability);
        return Capabilities.OF_PATHS.contains(asked) || super.hasPathCapability(path, capability);
    }

    /** Returns the space; the used space is that of the blobs in the store, which has no limit. */
    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        long used = bdt().statistics().blobBytes();
        return new FsStatus(Long.MAX_VALUE, used, Long.MAX_VALUE - used);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        OptionalInt mode = OptionalInt.of(permission.toShort());
        changes().attributes(path, new AttributeChange(Optional.empty(), Optional.empty(), mode));
    }

    @Override
    public void setOwner(Path path, @Nullable String owner, @Nullable String group) throws IOException {
        changes()
                .attributes(
                        path,
                        new AttributeChange(
                                Optional.ofNullable(owner), Optional.ofNullable(group), OptionalInt.empty()));
    }

    /** Times of access are not kept; -1 leaves a time as it is. */
    @Override
    public void setTimes(Path path, long mtime, long atime) throws IOException {
        changes().attributes(path, mtime == -1 ? AttributeChange.NONE : AttributeChange.ofMtime(mtime));
    }

    @Override
    public Path createSnapshot(Path directory, @Nullable String name) throws IOException {
        return Snapshots.of(bdt(), paths).create(makeQualified(directory), name);
    }

    @Override
    public void renameSnapshot(Path directory, String from, String to) throws IOException {
        Snapshots.of(bdt(), paths).rename(directory, from, to);
    }

    @Override
    public void deleteSnapshot(Path directory, String name) throws IOException {
        Snapshots.of(bdt(), paths).delete(directory, name);
    }

    /**
     * Returns the differences between two snapshots of a directory, in HDFS's form: {@code distcp -diff} calls this
     * method by its name. It needs HDFS's client on the class path, the rest of the file system does not.
     *
     * @param from a snapshot's name; empty: the directory as it is now
     * @param to likewise
     */
    public SnapshotDiffReport getSnapshotDiffReport(Path directory, @Nullable String from, @Nullable String to)
            throws IOException {
        return SnapshotDiffs.between(bdt(), directory, path(directory), from, to);
    }

    private int mode(FsPermission permission) {
        return permission.applyUMask(FsPermission.getUMask(getConf())).toShort();
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        working = makeQualified(directory);
    }

    @Override
    public Path getWorkingDirectory() {
        return working;
    }
}
