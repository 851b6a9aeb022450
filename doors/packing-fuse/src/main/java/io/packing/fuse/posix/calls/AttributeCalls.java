// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.AttributeUpdate;
import io.packing.fuse.Caller;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.Space;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.NodeNames;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.owner.Owners;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The calls on the attributes of nodes. */
public final class AttributeCalls {
    private static final int BLOCK = 4096;
    private static final int LONGEST_NAME = 255;
    /** The free space: object stores have no end. */
    private static final long FREE_BYTES = 1L << 50;

    private static final long FREE_FILES = 1L << 40;
    private static final int GROUP_EXECUTES = 010;

    private final OpenMount open;
    private final Publisher publisher;
    private final FileCalls files;
    private final ExtendedCalls extended;
    private volatile Optional<KnownSpace> space = Optional.empty();

    /** The mount's space in the table's answer, and the process's time of it. */
    private record KnownSpace(Space space, long at) {}

    public AttributeCalls(OpenMount open, Publisher publisher, FileCalls files, ExtendedCalls extended) {
        this.extended = extended;
        this.open = open;
        this.publisher = publisher;
        this.files = files;
    }

    public NodeAttributes attributes(Caller caller, Node node) throws FuseException, IOException {
        return open.locks.locked(node, () -> {
            // A local file, or one without a name, has its newest attributes here.
            if (!node.unlinked && !node.isPending() && !open.answers.isFresh(node)) {
                refresh(caller, node);
            }
            if (node.unlinked && node.version.isEmpty() && node.kept.isPresent()) {
                LocatedFile unused = publisher.located(node);
            }
            return open.answers.nodeAttributes(node);
        });
    }

    private void refresh(Caller caller, Node node) throws FuseException, IOException {
        try {
            boolean isDue = open.answers.isStoredDue(node);
            if (!isDue && !node.isDirty()) {
                FileStatus unused = publisher.present(node, open.nodes.path(node));
            }
            if (isDue || open.answers.isStoredDue(node)) {
                LocatedFile unused = publisher.located(node);
            }
        } catch (FuseException e) {
            // A file that is open, or about to be, keeps its known attributes when another client replaces or deletes
            // it.
            if (e.errno() == Errno.ESTALE) {
                if (node.opens > 0 || open.replaced.found(caller, node).isPresent()) {
                    return;
                }
                open.replaced.refuse(caller, NodeNames.NodeKey.of(node));
            }
            throw e;
        }
    }

    public NodeAttributes set(Node node, AttributeUpdate update) throws FuseException, IOException {
        return open.locks.locked(node, () -> {
            if (update.size().isPresent()) {
                resize(node, update.size().getAsLong());
            }
            boolean inTable = !node.isPending() && publisher.isReached(node);
            AttributeChange change = change(node, update, inTable);
            if (!change.equals(AttributeChange.NONE)) {
                if (inTable) {
                    FilePath path = publisher.path(node);
                    checkChangeable(path);
                    ErrnoMapping.check(open.bdt().setAttributes(path, change));
                    boolean unused = publisher.learnOwn(node, path);
                }
                node.attributes = changed(node.attributes, change);
                if (change.mtimeMillis().isPresent()) {
                    node.setTimes(change.extra().nanos(), change.extra().changed());
                }
                if (!change.extra().extended().isEmpty()) {
                    // Ask the table for its version when a call needs it.
                    node.version = Optional.empty();
                }
                if (node.draft != null) {
                    node.describeAttributes(open.journal);
                }
                if (change.mtimeMillis().isPresent()) {
                    node.entriesChanged = Optional.empty();
                }
            }
            update.accessed().ifPresent(time -> node.accessed = Optional.of(time(time)));
            // Take the table's time if it has one.
            node.changed = Optional.of(change.extra().changed().orElseGet(open::now));
            return open.answers.nodeAttributes(node);
        });
    }

    private static void checkChangeable(FilePath path) throws FuseException {
        if (path.isPast()) {
            throw new FuseException(Errno.EROFS);
        }
    }

    private void resize(Node node, long size) throws FuseException, IOException {
        if (!node.unlinked) {
            checkChangeable(open.nodes.path(node));
        }
        files.resize(node, size);
        if (node.opens == 0) {
            // No close will publish it.
            publisher.publish(node);
            open.locks.dropDraft(node);
        }
    }

    private AttributeChange change(Node node, AttributeUpdate update, boolean inTable)
            throws FuseException, IOException {
        Optional<Instant> modified = update.modified().map(this::time);
        OptionalLong millis =
                modified.map(time -> OptionalLong.of(time.toEpochMilli())).orElse(OptionalLong.empty());
        OptionalInt mode = update.mode().isPresent()
                ? OptionalInt.of(update.mode().getAsInt() & Mode.PERMISSIONS)
                : OptionalInt.empty();
        boolean givenAway = update.user().isPresent() || update.group().isPresent();
        if (givenAway && mode.isEmpty() && node.type == Mode.REGULAR) {
            mode = withoutPrivileges(node.attributes.permissions());
        }
        AttributeChange change =
                new AttributeChange(text(update.user(), open.users), text(update.group(), open.groups), mode, millis);
        if (change.equals(AttributeChange.NONE)) {
            return change;
        }
        List<ExtendedChange> steps = mode.isPresent() ? extended.following(node, mode.getAsInt()) : List.of();
        // A new file gets no such time: it would cost one more request for each file that tar makes.
        Optional<Instant> changed = inTable ? Optional.of(open.now()) : Optional.empty();
        return change.with(new RareAttributeChange(
                steps, modified.map(RareAttributes::nanos).orElse(0), changed));
    }

    /**
     * Returns a mode without set-user-ID, and without set-group-ID if its group may execute the file; empty: it has
     * neither.
     */
    private static OptionalInt withoutPrivileges(int mode) {
        int left = mode & ~Mode.SET_USER;
        if ((mode & GROUP_EXECUTES) != 0) {
            left &= ~Mode.SET_GROUP;
        }
        return left == mode ? OptionalInt.empty() : OptionalInt.of(left);
    }

    /** Removes the set-user-ID bits after a write by a caller that may not leave them. */
    public void dropPrivileges(Node node) throws FuseException, IOException {
        OptionalInt mode =
                node.type == Mode.REGULAR ? withoutPrivileges(node.attributes.permissions()) : OptionalInt.empty();
        if (mode.isPresent()) {
            NodeAttributes unused = set(
                    node,
                    new AttributeUpdate(
                            mode,
                            OptionalInt.empty(),
                            OptionalInt.empty(),
                            OptionalLong.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            true));
        }
    }

    private static Optional<String> text(OptionalInt number, Owners owners) throws FuseException {
        return number.isPresent() ? Optional.of(owners.text(number.getAsInt())) : Optional.empty();
    }

    private Instant time(Instant asked) {
        return asked.equals(Instant.MAX) ? open.now() : asked;
    }

    private static FileAttributes changed(FileAttributes old, AttributeChange change) {
        return new FileAttributes(
                old.length(),
                change.mtimeMillis().orElse(old.mtimeMillis()),
                change.owner().orElse(old.owner()),
                change.group().orElse(old.group()),
                (old.mode() & FileAttributes.TYPE) | change.mode().orElse(old.permissions()));
    }

    /** Returns the space, as old as the kernel's own knowledge may be: each mount of an overlay asks several times. */
    public Space space() throws IOException {
        long now = open.nanoTime.getAsLong();
        Optional<KnownSpace> known = space;
        if (known.isPresent() && now - known.get().at() < open.settings.valid().toNanos()) {
            return known.get().space();
        }
        Space asked = askForSpace();
        space = Optional.of(new KnownSpace(asked, now));
        return asked;
    }

    private Space askForSpace() throws IOException {
        BdtStatistics statistics = open.bdt().statistics();
        long used = statistics.blobBytes() / BLOCK;
        long free = FREE_BYTES / BLOCK;
        long files = statistics.files() + statistics.directories();
        return new Space(used + free, free, files + FREE_FILES, FREE_FILES, BLOCK, LONGEST_NAME);
    }
}
