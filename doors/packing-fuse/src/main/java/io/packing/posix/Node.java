package io.packing.posix;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileExtras;
import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Mode;
import io.packing.posix.StateJournal.Kind;
import io.packing.worker.api.PackingInput;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that the kernel knows by a number. Where it is, is guarded by {@link Nodes}; the rest by the node's own lock.
 */
final class Node {
    final long number;
    final boolean isDirectory;
    /** Of {@link Mode}: a node is never of another type. */
    final int type;
    /** What programs see as its inode number. */
    final long inode;

    final ReentrantLock lock = new ReentrantLock();
    final AtomicLong lookups = new AtomicLong();

    // Guarded by Nodes.
    long parent;
    String name;
    /** Names below a directory that nodes have. */
    int children;
    /** Of a file that other names may share. */
    Optional<Twins.Same> same = Optional.empty();

    /** Of a directory: names that it had. */
    volatile @Nullable KnownNames names;

    // Guarded by the lock.
    int opens;
    /** Whether no name leads here any more. */
    boolean unlinked;
    /** Where an open file is kept that lost its name. */
    Optional<FilePath> kept = Optional.empty();
    /** The version in the table; empty: it is not there. */
    Optional<FileVersion> version = Optional.empty();

    FileAttributes attributes;
    /** Stored bytes of this version, without holes; empty: only the places of its bytes tell that. */
    OptionalLong stored = OptionalLong.empty();
    /** The number of a device, once it was read. */
    OptionalInt device = OptionalInt.empty();

    @Nullable
    Draft draft;
    /** Whether it is published after its close was answered, and has not been yet. */
    boolean isBehind;
    /** Whether a name that somebody else made meanwhile is to be respected. */
    boolean exclusive;
    /** When the draft was last changed, in nanoseconds of the process's clock. */
    long writtenAt;

    @Nullable
    PackingInput input;

    Optional<FileVersion> inputVersion = Optional.empty();
    /** What the table said of it last beside its attributes, and when. */
    FileExtras extras = FileExtras.NONE;

    long learntAt;
    /** The extended attributes of which {@link #extras} told this hash. */
    Map<String, ExtendedValue> extended = Map.of();

    long extendedOf;
    /** Of which version the kernel's pages are. */
    Optional<FileVersion> pagesVersion = Optional.empty();
    /** Times that the table does not have. */
    Optional<Instant> changed = Optional.empty();

    Optional<Instant> accessed = Optional.empty();
    /** Of a directory: when an entry of it changed. */
    Optional<Instant> entriesChanged = Optional.empty();

    Node(long number, long inode, int type, long parent, String name, FileAttributes attributes) {
        this.number = number;
        this.inode = inode;
        this.type = type;
        this.isDirectory = type == Mode.DIRECTORY;
        this.parent = parent;
        this.name = name;
        this.attributes = attributes;
    }

    /** The type of what the table has. */
    static int type(FileStatus status) {
        int type = status.attributes().mode() & FileAttributes.TYPE;
        return status.isDirectory() ? Mode.DIRECTORY : type == 0 ? Mode.REGULAR : type;
    }

    boolean isDevice() {
        return type == Mode.CHARACTER_DEVICE || type == Mode.BLOCK_DEVICE;
    }

    /** Whether it is only here. Under the lock. */
    boolean isPending() {
        return draft != null && draft.isNew();
    }

    /** Whether something of it would be lost with it. Under the lock. */
    boolean isDirty() {
        return draft != null && draft.isDirty();
    }

    /** Returns whether its bytes have to be located to tell how many are stored. Under the lock. */
    boolean isStoredUnknown() {
        return stored.isEmpty() && type == Mode.REGULAR && !unlinked && !isPending();
    }

    /** How many names lead to it. Under the lock. */
    int links() {
        return unlinked ? Math.max(0, extras.links() - 1) : extras.links();
    }

    /** A name less leads to it. Under the lock. */
    void loseLink() {
        extras = new FileExtras(extras.extended(), extras.nanos(), extras.changed(), Math.max(1, extras.links() - 1));
    }

    /** Records what the table does not know of it. */
    void describe(StateJournal to) {
        if (opens > 0) {
            to.add(Kind.OPENS, number, "", opens);
        }
        kept.ifPresent(path -> to.add(Kind.KEPT, number, path.value()));
        if (draft != null) {
            draft.describe(to);
            describeAttributes(to);
        }
    }

    void describeAttributes(StateJournal to) {
        to.add(
                Kind.ATTRIBUTES,
                number,
                attributes.owner() + '\0' + attributes.group(),
                attributes.mtimeMillis(),
                attributes.mode(),
                exclusive ? 1 : 0,
                extras.nanos());
    }

    /** Its times beyond what the attributes tell. Under the lock. */
    void setTimes(int nanos, Optional<Instant> changedInTable) {
        extras = new FileExtras(extras.extended(), nanos, changedInTable, extras.links());
    }

    /** Gives up what was opened for reading. Under the lock. */
    void closeInput() {
        if (input != null) {
            input.close();
            input = null;
        }
        inputVersion = Optional.empty();
    }
}
