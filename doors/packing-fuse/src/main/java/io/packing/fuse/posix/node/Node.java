// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.draft.StateJournal;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import io.packing.worker.api.PackingInput;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that the kernel knows by a number. {@link Nodes} guards its place in the tree; the node's own
 * lock guards the rest.
 */
public final class Node {
    public final long number;
    public final boolean isDirectory;
    /** The type of {@link Mode}, which never changes. */
    public final int type;
    /** The inode number that programs see. */
    public final long inode;

    public final ReentrantLock lock = new ReentrantLock();
    final AtomicLong lookups = new AtomicLong();

    // Guarded by Nodes.
    long parent;
    public String name;
    /** The number of names below a directory that lead to nodes. */
    int children;
    /** The number of renames of files out of a directory and into it. Written by Nodes. */
    final AtomicLong moves = new AtomicLong();
    /** The identity of a file that other names may share. */
    Optional<SharedNodes.FileIdentity> same = Optional.empty();

    /** Completed when another lookup that has asked for this file, too, has its answer. */
    volatile @Nullable CompletableFuture<Boolean> looksAhead;

    /** The known names of a directory. */
    volatile @Nullable public NameCache names;

    // Guarded by the lock.
    public int opens;
    /** True if no name leads here any more. */
    public boolean unlinked;
    /** The place of an open file that lost its name. */
    public Optional<FilePath> kept = Optional.empty();
    /** The version in the table; empty: the table does not have the file. */
    public Optional<FileVersion> version = Optional.empty();

    public FileAttributes attributes;
    /** The stored bytes of this version, without holes; empty: only the places of its bytes give them. */
    public OptionalLong stored = OptionalLong.empty();
    /** The number of a device, once it was read. */
    public OptionalInt device = OptionalInt.empty();

    @Nullable
    public Draft draft;
    /** True between the answer to the close and the publication. */
    public boolean isBehind;
    /** True if a file that another client made under the name meanwhile must stay. */
    public boolean exclusive;
    /** The time of the draft's last change, in nanoseconds of the process's clock. */
    public long writtenAt;

    @Nullable
    public PackingInput input;

    public Optional<FileVersion> inputVersion = Optional.empty();
    /** The extras in the table's last answer, and its time. */
    public RareAttributes extras = RareAttributes.NONE;

    public long learntAt;
    /** True if the file's bytes are a map, which may be long. */
    boolean isMapped;
    /** The extended attributes whose hash was in {@link #extras}. */
    public Map<String, ExtendedValue> extended = Map.of();

    public long extendedOf;
    /** The version of the kernel's pages. */
    public Optional<FileVersion> pagesVersion = Optional.empty();
    /** The times that the table does not have. */
    public Optional<Instant> changed = Optional.empty();

    public Optional<Instant> accessed = Optional.empty();
    /** The time of the last change of a directory's entries. */
    public Optional<Instant> entriesChanged = Optional.empty();

    Node(long number, long inode, int type, long parent, String name, FileAttributes attributes) {
        this.number = number;
        this.inode = inode;
        this.type = type;
        this.isDirectory = type == Mode.DIRECTORY;
        this.parent = parent;
        this.name = name;
        this.attributes = attributes;
    }

    /** Returns the number of renames of files out of a directory and into it. */
    public long moves() {
        return moves.get();
    }

    /** Returns the type of a status in the table. */
    public static int type(FileStatus status) {
        int type = status.attributes().mode() & FileAttributes.TYPE;
        return status.isDirectory() ? Mode.DIRECTORY : type == 0 ? Mode.REGULAR : type;
    }

    public boolean isDevice() {
        return type == Mode.CHARACTER_DEVICE || type == Mode.BLOCK_DEVICE;
    }

    /** Returns whether only this server has it. Needs the lock. */
    public boolean isPending() {
        return draft != null && draft.isNew();
    }

    /** Returns whether it has unpublished changes. Needs the lock. */
    public boolean isDirty() {
        return draft != null && draft.isDirty();
    }

    /** Returns whether the number of its stored bytes needs their places. Needs the lock. */
    boolean isStoredUnknown() {
        return stored.isEmpty() && type == Mode.REGULAR && !unlinked && !isPending();
    }

    /** Returns the number of its names. Needs the lock. */
    public int links() {
        return unlinked ? Math.max(0, extras.links() - 1) : extras.links();
    }

    /** Counts a lost name. Needs the lock. */
    public void loseLink() {
        extras = new RareAttributes(
                extras.extended(), extras.nanos(), extras.changed(), Math.max(1, extras.links() - 1));
    }

    /** Records the state that the table does not have. */
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

    public void describeAttributes(StateJournal to) {
        to.add(
                Kind.ATTRIBUTES,
                number,
                attributes.owner() + '\0' + attributes.group(),
                attributes.mtimeMillis(),
                attributes.mode(),
                exclusive ? 1 : 0,
                extras.nanos());
    }

    /** Sets its times beyond those of the attributes. Needs the lock. */
    public void setTimes(int nanos, Optional<Instant> changedInTable) {
        extras = new RareAttributes(extras.extended(), nanos, changedInTable, extras.links());
    }

    /** Closes the input that was opened for reading. Needs the lock. */
    public void closeInput() {
        if (input != null) {
            input.close();
            input = null;
        }
        inputVersion = Optional.empty();
    }
}
