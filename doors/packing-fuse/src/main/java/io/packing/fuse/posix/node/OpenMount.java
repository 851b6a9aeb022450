// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Durability;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.TranslatedBdt;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Caller;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.LongNames;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.draft.DraftStorage;
import io.packing.fuse.posix.draft.StateJournal;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import io.packing.fuse.posix.owner.Owners;
import io.packing.worker.api.PackingInput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The shared state of all calls of a mounted directory: its nodes, its mount, and the form of attributes. Thread-safe.
 */
public final class OpenMount {
    private static final String JOURNAL = "nodes";
    private static final String SLOTS = "slots";
    private static final int PAGE = 1_000;
    private static final int MOST_TOPS = 50_000;
    private static final int MOST_RECENT_BYTES = 32 << 20;

    public final RemotePackingFileSystem mount;
    public final Durability durability;
    public final PosixOptions settings;
    public final TreeSource source;
    public final Nodes nodes;
    private final Optional<ListingCache> listed;
    private final SharedLookups lookups;
    public final NodeAnswers answers;
    public final LookAhead ahead;
    /** The recent entries of the mounted directory, if it reuses names. */
    private final Cache<FilePath, FileVersion> tops =
            CacheBuilder.newBuilder().maximumSize(MOST_TOPS).build();

    public final Owners users;
    public final Owners groups;
    public final Clock clock;
    public final LongSupplier nanoTime;
    public final StateJournal journal;
    private final Path drafts;
    final DraftStorage room;
    public final PinnedBytes pinned;
    public final PublishedBytes recent = new PublishedBytes(MOST_RECENT_BYTES);
    public final ReplacedFiles replaced;
    public final LongNames longNames = new LongNames();
    public final LockedNodes locks = new LockedNodes(this);

    /** Held alone during a rename of a directory, and shared while a call needs stable paths. */
    public final ReadWriteLock tree = new ReentrantReadWriteLock();

    public OpenMount(
            RemotePackingFileSystem mount,
            Durability durability,
            FilePath root,
            PosixOptions settings,
            TreeSource source,
            Clock clock,
            LongSupplier nanoTime)
            throws IOException {
        this.mount = mount;
        this.durability = durability;
        this.settings = settings;
        this.source = source;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.users = Owners.users(settings.owners(), nanoTime);
        this.groups = Owners.groups(settings.owners(), nanoTime);
        this.drafts = settings.state().resolve("drafts");
        if (!Files.isDirectory(drafts)) {
            // The files have the bytes of all users.
            Files.createDirectory(
                    drafts, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        this.room = DraftStorage.open(drafts, drafts.resolve(SLOTS));
        this.lookups = new SharedLookups(bdt());
        this.pinned = new PinnedBytes(!mount.isReadThroughWorkers());
        this.replaced = new ReplacedFiles(nanoTime);
        FileStatus status = mount.bdt()
                .stat(root)
                .filter(FileStatus::isDirectory)
                .orElseThrow(() -> new IOException(root + " is no directory of the mount: make it first"));
        this.journal = StateJournal.begin(settings.state().resolve(JOURNAL));
        this.nodes = new Nodes(root, status, journal, settings.readOnly(), nanoTime);
        Duration ofListings = settings.readOnly() ? ListingCache.share(settings.valid()) : Duration.ZERO;
        this.answers = new NodeAnswers(this, settings.valid().minus(ofListings));
        this.ahead = new LookAhead(this, bdt());
        this.listed = settings.readOnly()
                ? Optional.of(new ListingCache(mount.bdt(), root, ofListings, nanoTime))
                : Optional.empty();
    }

    /** Goes on after an earlier server of the mount died. */
    public void restore() throws IOException {
        Restoration restoration = new Restoration(this);
        StateJournal.read(settings.state().resolve(JOURNAL), restoration::record);
        restoration.finish();
    }

    /** Deletes the files of an earlier mount. */
    public void clear() throws IOException {
        try (Stream<Path> old = Files.list(drafts)) {
            for (Path file : (Iterable<Path>) old.filter(each -> !each.endsWith(SLOTS))::iterator) {
                Files.delete(file);
            }
        }
    }

    /** Writes the complete state to the journal. */
    public void begin() throws IOException {
        nodes.describe(journal);
        journal.take();
        listed.ifPresent(source::begin);
        if (settings.writesBehind()) {
            nodes.removed.start(mount.bdt());
        }
    }

    /** Shortens a journal that has become long. */
    public void tend() throws IOException {
        if (journal.isLong()) {
            tree.writeLock().lock();
            try {
                nodes.compactJournal();
            } finally {
                tree.writeLock().unlock();
            }
        }
    }

    public Bdt bdt() {
        return TranslatedBdt.of(mount.bdt(), ErrnoMapping::known);
    }

    /** Returns the table's entry at a path, as old as the kernel's own knowledge may be. */
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return listed.isPresent() && !source.makes(path) ? listed.get().stat(path) : lookups.stat(path);
    }

    /** Notes the entry at a path of the mounted directory; if it is a new one, forgets all entries below. */
    public void notice(Node parent, FilePath path, Optional<FileStatus> there) {
        if (source.reusesNames() && parent.number == FuseFileSystem.ROOT) {
            Optional<FileVersion> now = there.map(FileStatus::version);
            Optional<FileVersion> before = Optional.ofNullable(tops.getIfPresent(path));
            if (!now.equals(before)) {
                now.ifPresentOrElse(version -> tops.put(path, version), () -> tops.invalidate(path));
                listed.ifPresent(known -> known.forget(path));
                source.wasReplaced(path);
            }
        }
    }

    /** Returns whether listings show the missing names. */
    public boolean isListed() {
        return listed.isPresent();
    }

    /**
     * Returns all entries of a directory, as old as the kernel's own knowledge may be; empty: the directory does not
     * exist.
     */
    public Optional<List<FileStatus>> list(FilePath directory) throws IOException {
        if (listed.isPresent()) {
            Optional<List<FileStatus>> known = listed.get().list(directory);
            if (known.isPresent()) {
                return known;
            }
        }
        List<FileStatus> all = new ArrayList<>();
        String after = "";
        while (true) {
            Optional<List<FileStatus>> page = bdt().list(directory, after, PAGE);
            if (page.isEmpty()) {
                return Optional.empty();
            }
            all.addAll(page.get());
            if (page.get().size() < PAGE) {
                return Optional.of(all);
            }
            after = all.get(all.size() - 1).path().name();
        }
    }

    /** Returns the place of a file's bytes. */
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return listed.isPresent() ? listed.get().locate(path) : lookups.locate(path);
    }

    /** Opens a version of a file, of whose bytes this server may have a copy. */
    public PackingInput open(LocatedFile file) throws IOException {
        Optional<PackingInput> known = recent.open(file);
        return known.isPresent() ? known.get() : mount.open(file);
    }

    public Draft newDraft(Node node) throws IOException {
        Draft draft = Draft.ofNew(room, journal, node.number);
        node.describeAttributes(journal);
        return draft;
    }

    public Draft draftOver(Node node, long length) throws IOException {
        Draft draft = Draft.over(room, journal, node.number, length);
        node.describeAttributes(journal);
        return draft;
    }

    /** Notes the number of a file's opens. Needs its lock. */
    public void opens(Node node, int count) {
        journal.add(Kind.OPENS, node.number, "", count);
        node.opens = count;
    }

    /** Notes the place of a file without a name. Needs its lock. */
    public void kept(Node node, Optional<FilePath> path) {
        journal.add(Kind.KEPT, node.number, path.map(FilePath::value).orElse(""));
        node.kept = path;
    }

    /** Returns a new scratch path. */
    public static FilePath scratch() {
        return FilePath.SCRATCH.child(UUID.randomUUID().toString());
    }

    /** Returns the operation that makes the directory of scratch files, where a create did not. */
    public static Operation makeScratch() {
        return new Operation.MakeDirectory(FilePath.SCRATCH, new DirectoryAttributes("", "", 0700), true);
    }

    /** Returns the attributes of a caller's new file with this mode. */
    public FileAttributes attributes(Caller caller, Node parent, int mode) throws FuseException {
        boolean inherits = (parent.attributes.mode() & Mode.SET_GROUP) != 0;
        return new FileAttributes(
                0,
                clock.millis(),
                users.text(caller.user()),
                inherits ? parent.attributes.group() : groups.text(caller.group()),
                mode & Mode.PERMISSIONS);
    }

    /** Notes that an entry of the directory was made or removed. */
    public void touch(Node directory) {
        directory.lock.lock();
        try {
            directory.entriesChanged = Optional.of(now());
            directory.changed = directory.entriesChanged;
        } finally {
            directory.lock.unlock();
        }
    }

    /** Returns the time with the table's precision. */
    public Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    /** Returns whether the table's entry is the file or directory of a node. */
    public boolean isOf(Node node, FileStatus status) {
        return nodes.isOf(node, status);
    }

    /** Takes over the table's status of a node. Needs its lock. */
    public void learn(Node node, FileStatus status) throws FuseException {
        if (!isOf(node, status)) {
            answers.doubt(node);
            throw new FuseException(Errno.ESTALE, "%s is another file by now".formatted(status.path()));
        }
        if (node.draft == null || !node.draft.isDirty()) {
            node.attributes = status.attributes();
            node.extras = status.extras();
        } else {
            node.extras = new RareAttributes(
                    status.extras().extended(),
                    node.extras.nanos(),
                    node.extras.changed(),
                    status.extras().links());
        }
        node.learntAt = nanoTime.getAsLong();
        node.isMapped = status.state() == FileStatus.State.MAPPED;
        if (!node.isMapped) {
            node.stored = OptionalLong.of(status.attributes().length());
        } else if (!node.version.equals(Optional.of(status.version()))) {
            node.stored = OptionalLong.empty();
        }
        node.version = Optional.of(status.version());
    }
}
