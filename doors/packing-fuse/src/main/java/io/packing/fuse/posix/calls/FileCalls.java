// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Caller;
import io.packing.fuse.CopiedRange;
import io.packing.fuse.DeferredAnswer;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Opened;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.Times;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.node.LockedNodes;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.node.PinnedInput;
import io.packing.fuse.posix.publish.Closes;
import io.packing.fuse.posix.publish.Publisher;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls on the bytes of files. */
public final class FileCalls {
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int ZERO_RANGE = 16;
    private static final int READ_TRIES = 2;
    /** The step of the clock of local file systems: a new file keeps the time of its creation for so long. */
    private static final long TICK_MILLIS = 4;

    private final OpenMount open;
    private final Publisher publisher;
    private final LockedNodes locks;
    private final Closes closes;
    private final FileOpenCall opens;

    public FileCalls(OpenMount open, Publisher publisher) {
        this.open = open;
        this.publisher = publisher;
        this.locks = open.locks;
        this.closes = Closes.start(open, publisher);
        this.opens = new FileOpenCall(open, this);
    }

    private static Node file(Node node) throws FuseException {
        if (node.isDirectory) {
            throw new FuseException(Errno.EISDIR);
        }
        return node;
    }

    public Opened open(Caller caller, Node node, int flags) throws FuseException, IOException {
        return opens.open(caller, file(node), flags);
    }

    FileVersion refreshed(Node node) throws FuseException, IOException {
        return publisher.present(node, open.nodes.path(node)).version();
    }

    /** Drops a clean draft over an older version than the table's. */
    void dropStale(Node node, FileVersion now) throws IOException {
        if (node.draft != null && !node.draft.isDirty() && !node.pagesVersion.equals(Optional.of(now))) {
            locks.dropDraft(node);
        }
    }

    /** Opens the table's present version, unless it is open. Needs the lock. */
    LocatedFile openInput(Node node) throws FuseException, IOException {
        LocatedFile located = publisher.located(node);
        if (!node.inputVersion.equals(Optional.of(located.status().version()))) {
            node.closeInput();
            node.input = open.open(located);
            node.inputVersion = Optional.of(located.status().version());
        }
        return located;
    }

    private PackingInput input(Node node) throws FuseException, IOException {
        PackingInput input = node.input;
        if (input == null) {
            LocatedFile unused = openInput(node);
            input = node.input;
        }
        if (input == null) {
            throw new IllegalStateException("no input of node " + node.number);
        }
        return input;
    }

    public void read(Node node, long offset, ByteBuffer into) throws FuseException, IOException {
        for (int attempt = 1; ; attempt++) {
            Optional<PackingInput> input = locks.locked(file(node), () -> {
                if (node.draft != null) {
                    readDraft(node, node.draft, offset, into);
                    return Optional.<PackingInput>empty();
                }
                return Optional.of(input(node));
            });
            if (input.isEmpty()) {
                return;
            }
            int start = into.position();
            try {
                readFully(input.get(), offset, into);
                return;
            } catch (FileNotFoundException e) {
                // The file has another version by now; the open one is gone with its bytes.
                into.position(start);
                if (attempt == READ_TRIES) {
                    throw e;
                }
                locks.locked(node, () -> {
                    node.closeInput();
                    return node;
                });
            }
        }
    }

    private void readDraft(Node node, Draft draft, long offset, ByteBuffer into) throws FuseException, IOException {
        PackingInput base = draft.isWhole() ? null : input(node);
        draft.read(offset, into, (position, piece) -> {
            if (base == null) {
                throw new IOException("a draft without a base has no offset " + position);
            }
            readFully(base, position, piece);
            if (piece.hasRemaining()) {
                throw new IOException("node %d: the table's file ends before offset %d"
                        .formatted(node.number, position + piece.limit()));
            }
        });
    }

    private static void readFully(PackingInput input, long offset, ByteBuffer into) throws IOException {
        long position = offset;
        while (into.hasRemaining()) {
            int n = input.read(position, into);
            if (n < 0) {
                return;
            }
            position += n;
        }
    }

    /** Returns the draft of a file, a new one over the table's version if need be. Needs the lock. */
    Draft draft(Node node) throws FuseException, IOException {
        if (node.draft == null) {
            node.draft = open.draftOver(node, publishedLength(node));
        }
        return node.draft;
    }

    private long publishedLength(Node node) throws FuseException, IOException {
        if (!node.unlinked || node.kept.isPresent()) {
            return publisher.located(node).status().attributes().length();
        }
        PackingInput input = node.input;
        return input == null ? 0 : input.attributes().length();
    }

    public void write(Node node, long offset, ByteBuffer from) throws FuseException, IOException {
        locks.locked(file(node), () -> {
            Draft draft = draft(node);
            try {
                draft.write(offset, from);
            } catch (IOException e) {
                throw ErrnoMapping.of(e);
            }
            written(node);
            if (draft.dirtyBytes() >= open.settings.draftBytes()) {
                publisher.publish(node);
            }
            return node;
        });
    }

    private void written(Node node) {
        node.writtenAt = open.nanoTime.getAsLong();
        node.changed = Optional.of(open.now());
        long now = open.clock.millis();
        long sinceCreation = now - node.attributes.mtimeMillis();
        // The kernel drops the written pages of a file whose time changes, and reads them again.
        boolean isTickOfCreation =
                node.isPending() && node.extras.nanos() == 0 && sinceCreation >= 0 && sinceCreation < TICK_MILLIS;
        if (!isTickOfCreation) {
            node.attributes = Times.withMtime(node.attributes, now);
            node.setTimes(0, Optional.empty());
        }
    }

    /** Gives a file another length. Needs the lock. */
    void resize(Node node, long size) throws FuseException, IOException {
        Draft draft = draft(file(node));
        draft.resize(size);
        written(node);
    }

    public void flush(Node node, DeferredAnswer answer) throws FuseException, IOException {
        closes.flush(node, answer);
    }

    public void sync(Node node) throws FuseException, IOException {
        locks.locked(node, () -> {
            publisher.sync(node);
            return node;
        });
    }

    public void release(Node node) throws FuseException, IOException {
        locks.locked(node, () -> {
            open.opens(node, Math.max(0, node.opens - 1));
            if (node.opens == 0 && node.input instanceof PinnedInput) {
                node.closeInput();
            }
            if (node.opens > 0 || (node.isBehind && !node.unlinked)) {
                return node;
            }
            if (node.unlinked) {
                publisher.publish(node);
                locks.dropDraft(node);
                publisher.deleteKept(node);
                return node;
            }
            publisher.publish(node);
            locks.dropDraft(node);
            return node;
        });
    }

    /** Publishes a draft without writes for a while. */
    public void publishOld(Node node, long olderThanNanos) throws FuseException, IOException {
        locks.locked(node, () -> {
            boolean old = node.isDirty() && open.nanoTime.getAsLong() - node.writtenAt >= olderThanNanos;
            if (old && publisher.isReached(node)) {
                publisher.publish(node);
                if (node.opens == 0) {
                    locks.dropDraft(node);
                }
            }
            return node;
        });
    }

    /** Serves {@code fallocate(2)}: makes holes, zeros, or the file longer. */
    public void allocate(Node node, int mode, long offset, long length) throws FuseException, IOException {
        locks.locked(file(node), () -> {
            long end = offset + length;
            switch (mode) {
                case 0 -> grow(node, end);
                case KEEP_SIZE -> draft(node);
                case PUNCH_HOLE | KEEP_SIZE -> zero(node, offset, end, false);
                case ZERO_RANGE -> zero(node, offset, end, true);
                case ZERO_RANGE | KEEP_SIZE -> zero(node, offset, end, false);
                default -> throw new FuseException(Errno.EOPNOTSUPP);
            }
            return node;
        });
    }

    private void grow(Node node, long end) throws FuseException, IOException {
        if (end > draft(node).size()) {
            resize(node, end);
        }
    }

    private void zero(Node node, long start, long end, boolean grows) throws FuseException, IOException {
        Draft draft = draft(node);
        long last = Math.min(end, draft.size());
        if (start < last) {
            if (node.unlinked || draft.isNew()) {
                writeZeros(draft, start, last);
            } else {
                punch(node, draft, start, last);
            }
            written(node);
        }
        if (grows) {
            grow(node, end);
        }
    }

    private static void writeZeros(Draft draft, long start, long end) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
        for (long at = start; at < end; at += zeros.capacity()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), end - at));
            draft.write(at, zeros);
        }
    }

    private void punch(Node node, Draft draft, long start, long end) throws FuseException, IOException {
        publisher.publish(node);
        FilePath path = open.nodes.path(node);
        long size = draft.size();
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation.DeleteRange(new ByteRange(path, start, end - start)));
        if (end >= size) {
            operations.add(new Operation.Truncate(path, size));
        }
        publisher.apply(node, path, operations);
        changedInTable(node, start, end, size);
    }

    /** Notes that the table has other bytes in a range of the file. */
    private void changedInTable(Node node, long start, long end, long size) throws FuseException, IOException {
        FileStatus now = publisher.present(node, open.nodes.path(node));
        node.closeInput();
        node.pagesVersion = Optional.of(now.version());
        if (node.draft != null) {
            node.draft.rebase(start, end, size);
        }
    }

    /** Serves {@code copy_file_range(2)}: the target shares the bytes of the source. */
    public long copy(Node from, Node to, CopiedRange range) throws FuseException, IOException {
        Node first = from.number <= to.number ? from : to;
        Node second = first == from ? to : from;
        return locks.locked(file(first), () -> {
            file(second).lock.lock();
            try {
                return copyLocked(from, to, range);
            } finally {
                second.lock.unlock();
            }
        });
    }

    private long copyLocked(Node from, Node to, CopiedRange range) throws FuseException, IOException {
        if (from.unlinked || to.unlinked) {
            throw new FuseException(Errno.EXDEV, "a file without a name: the caller copies by itself");
        }
        publisher.publish(from);
        publisher.publish(to);
        long available = draft(from).size() - range.fromOffset();
        long length = Math.min(range.length(), available);
        if (length <= 0) {
            return 0;
        }
        ByteRange source = new ByteRange(open.nodes.path(from), range.fromOffset(), length);
        FilePath target = open.nodes.path(to);
        Draft draft = draft(to);
        long size = Math.max(draft.size(), range.toOffset() + length);
        publisher.apply(to, target, List.of(new Operation.CloneRange(source, target, range.toOffset())));
        written(to);
        changedInTable(to, range.toOffset(), range.toOffset() + length, size);
        return length;
    }
}
