// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.AlluxioURI;
import alluxio.conf.PropertyKey;
import alluxio.file.options.DescendantType;
import alluxio.underfs.ConsistentUnderFileSystem;
import alluxio.underfs.Fingerprint;
import alluxio.underfs.UfsDirectoryStatus;
import alluxio.underfs.UfsFileStatus;
import alluxio.underfs.UfsLoadResult;
import alluxio.underfs.UfsStatus;
import alluxio.underfs.UnderFileSystemConfiguration;
import alluxio.underfs.options.CreateOptions;
import alluxio.underfs.options.DeleteOptions;
import alluxio.underfs.options.FileLocationOptions;
import alluxio.underfs.options.GetFileStatusOptions;
import alluxio.underfs.options.ListOptions;
import alluxio.underfs.options.MkdirsOptions;
import alluxio.underfs.options.OpenOptions;
import com.google.common.net.HostAndPort;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.TranslatedBdt;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A packing mount as Alluxio sees it. It says that it is an object store, so that Alluxio persists a file under its
 * final name instead of renaming it there; unlike one it has real directories and renames in one step.
 */
public final class PackingUnderFileSystem extends ConsistentUnderFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(PackingUnderFileSystem.class);

    private final ConnectedMount mount;
    private final AsyncListing asyncListing;
    private final RecentOwners recentOwners = new RecentOwners();
    private final long blockSize;

    PackingUnderFileSystem(
            AlluxioURI uri, UnderFileSystemConfiguration configuration, ConnectedMount mount, Executor listingThreads) {
        super(uri, configuration);
        this.mount = mount;
        this.asyncListing = new AsyncListing(this, listingThreads);
        this.blockSize = configuration.getBytes(PropertyKey.USER_BLOCK_SIZE_BYTES_DEFAULT);
    }

    @Override
    public String getUnderFSType() {
        return UfsPaths.SCHEME;
    }

    @Override
    public boolean isObjectStorage() {
        return true;
    }

    @Override
    public boolean isSeekable() {
        return true;
    }

    /** Returns false: a flush makes nothing durable; only a close does. */
    @Override
    public boolean supportsFlush() {
        return false;
    }

    @Override
    public void connectFromMaster(String hostname) throws IOException {
        mount.connectFromMaster(hostname);
        // The mounted directory may be missing in a new namespace: like a bucket's prefix it is then created.
        FilePath base = UfsPaths.toPacking(mUri.toString());
        if (!base.isRoot()) {
            bdt().mkdir(base, new DirectoryAttributes("", "", 0777), true);
        }
    }

    @Override
    public void connectFromWorker(String hostname) throws IOException {
        mount.connectFromWorker(hostname);
    }

    @Override
    public void cleanup() {}

    /** Does nothing: Alluxio closes instances that it goes on using. The mount's threads stop with the process. */
    @Override
    public void close() {}

    @Override
    public OutputStream create(String path, CreateOptions options) throws IOException {
        return create(path, options, true);
    }

    @Override
    public OutputStream createNonexistingFile(String path) throws IOException {
        return createNonexistingFile(path, CreateOptions.defaults(mUfsConf).setCreateParent(true));
    }

    @Override
    public OutputStream createNonexistingFile(String path, CreateOptions options) throws IOException {
        // Alluxio deletes before it overwrites, and retries a create that failed half way: the later one wins.
        return create(path, options, true);
    }

    private OutputStream create(String path, CreateOptions options, boolean overwrite) throws IOException {
        FilePath file = UfsPaths.toChange(path);
        String owner = orEmpty(options.getOwner());
        String group = orEmpty(options.getGroup());
        io.packing.worker.api.CreateOptions creation = new io.packing.worker.api.CreateOptions(
                owner, group, options.getMode().toShort(), options.getCreateParent(), overwrite);
        return new PackingUfsOutput(
                files().create(file, creation), creation, () -> recentOwners.created(file, owner, group));
    }

    /** {@inheritDoc} For a file that a worker of this mount has just closed, the worker's string has all of it. */
    @Override
    public Fingerprint getParsedFingerprint(String path, @Nullable String contentHash) {
        Optional<CreatedFile> created = CreatedFile.parse(contentHash);
        return created.isPresent()
                ? Fingerprint.create(
                        getUnderFSType(),
                        created.get().status(path),
                        created.get().contentHash())
                : super.getParsedFingerprint(path, contentHash);
    }

    @Override
    public InputStream open(String path, OpenOptions options) throws IOException {
        PackingInput input = AlluxioRefusals.known(() -> files().open(UfsPaths.toPacking(path)));
        return new PackingUfsInput(input, options.getOffset());
    }

    @Override
    public boolean deleteFile(String path) throws IOException {
        return isFile(path) && deleteExistingFile(path);
    }

    @Override
    public boolean deleteExistingFile(String path) throws IOException {
        return delete(path, false);
    }

    @Override
    public boolean deleteDirectory(String path, DeleteOptions options) throws IOException {
        return isDirectory(path) && deleteExistingDirectory(path, options);
    }

    @Override
    public boolean deleteExistingDirectory(String path) throws IOException {
        return deleteExistingDirectory(path, DeleteOptions.defaults());
    }

    @Override
    public boolean deleteExistingDirectory(String path, DeleteOptions options) throws IOException {
        return delete(path, options.isRecursive());
    }

    private boolean delete(String path, boolean recursive) throws IOException {
        try {
            return done("delete", path, bdt().delete(UfsPaths.toChange(path), recursive));
        } catch (IllegalArgumentException e) {
            // Such as a directory with snapshots: the reason names them. Alluxio catches IOExceptions only.
            throw new IOException("'%s' was not deleted: %s".formatted(path, e.getMessage()), e);
        }
    }

    @Override
    public boolean renameFile(String src, String dst) throws IOException {
        return isFile(src) && renameRenamableFile(src, dst);
    }

    @Override
    public boolean renameRenamableFile(String src, String dst) throws IOException {
        return done("rename", src, bdt().rename(UfsPaths.toChange(src), UfsPaths.toChange(dst)));
    }

    @Override
    public boolean renameDirectory(String src, String dst) throws IOException {
        return isDirectory(src) && renameRenamableDirectory(src, dst);
    }

    @Override
    public boolean renameRenamableDirectory(String src, String dst) throws IOException {
        return renameRenamableFile(src, dst);
    }

    @Override
    public boolean mkdirs(String path, MkdirsOptions options) throws IOException {
        DirectoryAttributes attributes = new DirectoryAttributes(
                orEmpty(options.getOwner()),
                orEmpty(options.getGroup()),
                options.getMode().toShort());
        if (UfsPaths.toPacking(path).isPast() && isDirectory(path)) {
            // Alluxio makes the directories above a file that it finds, here those of a snapshot.
            return false;
        }
        Outcome outcome = bdt().mkdir(UfsPaths.toChange(path), attributes, options.getCreateParent());
        // That it is there already is no news: Alluxio asks for the parents of every file.
        return outcome != Outcome.EXISTS && done("mkdir", path, outcome);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return stat(path).isPresent();
    }

    @Override
    public boolean isFile(String path) throws IOException {
        return stat(path).filter(status -> !status.isDirectory()).isPresent();
    }

    @Override
    public boolean isDirectory(String path) throws IOException {
        return stat(path).filter(FileStatus::isDirectory).isPresent();
    }

    @Override
    public UfsStatus getStatus(String path) throws IOException {
        return UfsStatuses.toAlluxio(path, statOrThrow(path), blockSize);
    }

    @Override
    public UfsFileStatus getFileStatus(String path, GetFileStatusOptions options) throws IOException {
        FileStatus status = statOrThrow(path);
        if (status.isDirectory()) {
            throw new FileNotFoundException("'%s' is a directory, not a file".formatted(path));
        }
        return UfsStatuses.file(path, status, blockSize);
    }

    @Override
    public UfsDirectoryStatus getDirectoryStatus(String path) throws IOException {
        FileStatus status = statOrThrow(path);
        if (!status.isDirectory()) {
            throw new FileNotFoundException("'%s' is a file, not a directory".formatted(path));
        }
        return UfsStatuses.directory(path, status);
    }

    @Override
    @SuppressWarnings("NullAway") // Alluxio's contract: null says that there is no such directory.
    public UfsStatus @Nullable [] listStatus(String path) throws IOException {
        List<UfsStatus> found = new ArrayList<>();
        boolean listed = new Listing(bdt())
                .entries(
                        UfsPaths.toPacking(path),
                        status -> found.add(UfsStatuses.toAlluxio(status.path().name(), status, blockSize)));
        return listed ? found.toArray(new UfsStatus[0]) : null;
    }

    @Override
    @SuppressWarnings("NullAway") // Alluxio's contract: null says that there is no such directory.
    public UfsStatus @Nullable [] listStatus(String path, ListOptions options) throws IOException {
        if (!options.isRecursive()) {
            return listStatus(path);
        }
        FilePath base = UfsPaths.toPacking(path);
        int relative = base.isRoot() ? 1 : base.value().length() + 1;
        List<UfsStatus> found = new ArrayList<>();
        boolean listed = new Listing(bdt())
                .tree(
                        base,
                        status -> found.add(
                                UfsStatuses.toAlluxio(status.path().value().substring(relative), status, blockSize)));
        return listed ? found.toArray(new UfsStatus[0]) : null;
    }

    @Override
    public void performListingAsync(
            String path,
            @Nullable String continuationToken,
            @Nullable String startAfter,
            DescendantType descendantType,
            boolean checkStatus,
            Consumer<UfsLoadResult> onComplete,
            Consumer<Throwable> onError) {
        asyncListing.list(path, descendantType, checkStatus, onComplete, onError);
    }

    @Override
    public void setOwner(String path, @Nullable String owner, @Nullable String group) throws IOException {
        FilePath target = UfsPaths.toPacking(path);
        if (recentOwners.alreadySet(target, orEmpty(owner), orEmpty(group))) {
            return;
        }
        change(path, new AttributeChange(given(owner), given(group), OptionalInt.empty()));
    }

    @Override
    public void setMode(String path, short mode) throws IOException {
        change(path, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode & 07777)));
    }

    @Override
    public long getBlockSizeByte(String path) throws IOException {
        return getFileStatus(path).getBlockSize();
    }

    /** Returns the worker that buffers the file; a file in blobs is equally far from every worker. */
    @Override
    public List<String> getFileLocations(String path) throws IOException {
        Optional<Placement> placement = bdt().locate(UfsPaths.toPacking(path)).map(LocatedFile::placement);
        if (placement.isPresent() && placement.get() instanceof Placement.Buffered buffered) {
            return List.of(HostAndPort.fromString(buffered.address()).getHost());
        }
        return List.of();
    }

    @Override
    public List<String> getFileLocations(String path, FileLocationOptions options) throws IOException {
        return getFileLocations(path);
    }

    /** Returns the used space, in bytes of blobs; a bucket has no other space. */
    @Override
    public long getSpace(String path, SpaceType type) throws IOException {
        BdtStatistics statistics = bdt().statistics();
        return type == SpaceType.SPACE_USED ? statistics.blobBytes() : -1;
    }

    private void change(String path, AttributeChange change) throws IOException {
        Outcome outcome = bdt().setAttributes(UfsPaths.toChange(path), change);
        if (outcome == Outcome.NOT_FOUND) {
            throw new FileNotFoundException(path);
        }
        if (outcome != Outcome.DONE) {
            throw new IOException("cannot change the attributes of '%s': %s".formatted(path, outcome));
        }
    }

    private Optional<FileStatus> stat(String path) throws IOException {
        return bdt().stat(UfsPaths.toPacking(path));
    }

    private FileStatus statOrThrow(String path) throws IOException {
        return stat(path).orElseThrow(() -> new FileNotFoundException(path));
    }

    private PackingFileSystem files() throws IOException {
        return mount.files();
    }

    private Bdt bdt() throws IOException {
        return TranslatedBdt.of(mount.files().bdt(), AlluxioRefusals::of);
    }

    /**
     * Returns whether the operation was done. Alluxio wants a boolean, so the reason of a refusal can only be logged.
     */
    private static boolean done(String operation, String path, Outcome outcome) {
        if (outcome != Outcome.DONE) {
            LOG.warn("{} of {} refused: {}", operation, path, outcome);
        }
        return outcome == Outcome.DONE;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Optional<String> given(@Nullable String text) {
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
