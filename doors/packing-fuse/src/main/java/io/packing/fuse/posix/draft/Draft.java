// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import io.packing.fuse.posix.draft.StateJournal.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The unpublished writes of a file, as local bytes at their offsets. It lies over the file's published version, the
 * base: a byte comes from the draft, or the base, or is zero. Guarded by the lock of the node.
 */
public final class Draft {
    /** A reader of published bytes. */
    public interface Base {
        /** Fills the buffer from an offset on. */
        void read(long offset, ByteBuffer into) throws IOException;
    }

    private static final int MOST_MERGED = 256 << 10;

    private final DraftStorage room;
    private final StateJournal journal;
    private final long node;
    private DraftStorage.DraftBytes bytes;
    /** The ranges with local bytes of this file. */
    private final Ranges local = new Ranges();
    /** The unpublished ones of them. */
    private final Ranges dirty = new Ranges();

    /** The last published extents, each right behind the one before it, while they may still be merged. */
    private final Deque<Ranges.Range> recent = new ArrayDeque<>();

    private long size;
    /** The length of the file in the table. */
    private long published;
    /** The offset from which on the base does not count, since the file was cut there. */
    private long cut;

    private boolean isNew;

    private Draft(
            DraftStorage room,
            DraftStorage.DraftBytes bytes,
            StateJournal journal,
            long node,
            boolean isNew,
            long length) {
        this.room = room;
        this.bytes = bytes;
        this.journal = journal;
        this.node = node;
        this.isNew = isNew;
        this.size = length;
        this.published = length;
        this.cut = length;
    }

    /** Makes a draft of a file that is not in the table. */
    public static Draft ofNew(DraftStorage room, StateJournal journal, long node) throws IOException {
        return make(room, journal, node, true, 0);
    }

    /** Makes a draft over a published version of a length. */
    public static Draft over(DraftStorage room, StateJournal journal, long node, long length) throws IOException {
        return make(room, journal, node, false, length);
    }

    private static Draft make(DraftStorage room, StateJournal journal, long node, boolean isNew, long length)
            throws IOException {
        DraftStorage.DraftBytes bytes = room.make(node, length <= DraftStorage.SLOT);
        journal.add(Kind.DRAFT, node, "", isNew ? 1 : 0, length, bytes.slot());
        return new Draft(room, bytes, journal, node, isNew, length);
    }

    /**
     * Returns a draft whose local bytes an earlier server wrote. The caller repeats all changes since.
     *
     * @param slot of the bytes, or {@link DraftStorage#NO_SLOT}
     */
    public static Draft restored(
            DraftStorage room, StateJournal journal, long node, boolean isNew, long length, int slot)
            throws IOException {
        DraftStorage.DraftBytes bytes =
                slot == DraftStorage.NO_SLOT ? room.restoredFile(node) : room.restoredSlot(slot);
        return new Draft(room, bytes, journal, node, isNew, length);
    }

    public long size() {
        return size;
    }

    public long published() {
        return published;
    }

    public long cut() {
        return cut;
    }

    /** Returns whether the table does not have the file. */
    public boolean isNew() {
        return isNew;
    }

    /** Returns whether it has changes to publish. */
    public boolean isDirty() {
        return isNew || !dirty.isEmpty() || size != published || cut < published;
    }

    public long dirtyBytes() {
        return dirty.total();
    }

    public List<Ranges.Range> dirty() {
        return dirty.all();
    }

    /** Returns whether all bytes are local, so that it does not need the base. */
    public boolean isWhole() {
        return cut == 0 || local.covers(0, Math.min(cut, size));
    }

    /** Adds the draft's bytes to the ranges that the base has. */
    public void overlay(Ranges base) {
        base.remove(cut, Long.MAX_VALUE);
        local.all().forEach(range -> base.add(range.start(), range.end()));
    }

    /**
     * Returns the number of bytes outside of holes. Until they are published, bytes that replace others of the base may
     * count twice.
     *
     * @param base number of the base's bytes outside of holes
     */
    public long stored(long base) {
        return isDirty() ? Math.min(size, Math.min(base, cut) + local.total()) : base;
    }

    public void write(long offset, ByteBuffer from) throws IOException {
        if (offset + from.remaining() > bytes.most()) {
            moveToFile();
        }
        int start = from.position();
        try {
            bytes.write(offset, from);
        } finally {
            // The bytes that a full disk took count: the draft has them.
            long end = offset + from.position() - start;
            journal.add(Kind.WRITTEN, node, "", offset, end);
            noteWritten(offset, end);
        }
    }

    /** Moves the bytes to a file, when the draft is too large for a slot. */
    private void moveToFile() throws IOException {
        DraftStorage.DraftBytes file = room.inFile(node);
        try {
            for (Ranges.Range each : local.all()) {
                ByteBuffer piece = ByteBuffer.allocate((int) each.length());
                readLocal(each.start(), each.end(), piece);
                file.write(each.start(), piece.flip());
            }
            journal.add(Kind.IN_FILE, node, "");
        } catch (IOException | RuntimeException e) {
            file.discard();
            throw e;
        }
        bytes.discard();
        bytes = file;
    }

    /** Repeats the move to a file of an earlier server. */
    public void noteInFile() throws IOException {
        bytes.discard();
        bytes = room.restoredFile(node);
    }

    public void noteWritten(long start, long end) {
        local.add(start, end);
        dirty.add(start, end);
        size = Math.max(size, end);
    }

    public void noteLocal(long start, long end) {
        local.add(start, end);
    }

    public void noteSizes(long newSize, long newPublished, long newCut) {
        size = newSize;
        published = newPublished;
        cut = newCut;
    }

    /** Records the draft completely. */
    public void describe(StateJournal to) {
        to.add(Kind.DRAFT, node, "", isNew ? 1 : 0, 0, bytes.slot());
        local.all().forEach(range -> to.add(Kind.LOCAL, node, "", range.start(), range.end()));
        dirty.all().forEach(range -> to.add(Kind.WRITTEN, node, "", range.start(), range.end()));
        to.add(Kind.SIZES, node, "", size, published, cut);
    }

    /** Gives the file another length; growth reads as zeros. */
    public void resize(long length) throws IOException {
        journal.add(Kind.RESIZED, node, "", length);
        noteResized(length);
        bytes.cut(length);
    }

    public void noteResized(long length) {
        if (length < size) {
            local.remove(length, Long.MAX_VALUE);
            dirty.remove(length, Long.MAX_VALUE);
            cut = Math.min(cut, length);
        }
        size = length;
    }

    /** Fills the buffer from an offset on, up to the end of the file. */
    public void read(long offset, ByteBuffer into, Base base) throws IOException {
        long position = offset;
        long end = Math.min(size, offset + into.remaining());
        while (position < end) {
            long covered = Math.min(end, local.coveredFrom(position));
            if (covered > position) {
                readLocal(position, covered, into);
                position = covered;
                continue;
            }
            long stop = Math.min(end, local.nextFrom(position));
            long fromBase = Math.min(stop, cut);
            if (position < fromBase) {
                ByteBuffer slice = into.slice(into.position(), (int) (fromBase - position));
                base.read(position, slice);
                into.position(into.position() + (int) (fromBase - position));
                position = fromBase;
            }
            zeros(into, stop - position);
            position = stop;
        }
    }

    private static void zeros(ByteBuffer into, long count) {
        for (long i = 0; i < count; i++) {
            into.put((byte) 0);
        }
    }

    private void readLocal(long start, long end, ByteBuffer into) throws IOException {
        ByteBuffer slice = into.slice(into.position(), (int) (end - start));
        long at = start;
        while (slice.hasRemaining()) {
            int n = bytes.read(at, slice);
            if (n < 0) {
                throw new IOException(
                        "the draft of node %d ends at %d: another program changed it".formatted(node, at));
            }
            at += n;
        }
        into.position(into.position() + (int) (end - start));
    }

    /**
     * Publishes small extents again together with the bytes appended now: otherwise many small syncs would give a file
     * as many extents. Each byte is published again once for each doubling, up to {@value #MOST_MERGED} bytes.
     */
    public void mergeAppended() {
        List<Ranges.Range> ranges = dirty.all();
        if (ranges.size() != 1 || cut < published) {
            recent.clear();
            return;
        }
        long start = ranges.get(0).start();
        long end = ranges.get(0).end();
        while (!recent.isEmpty() && takesAlong(recent.getLast(), start, end)) {
            start = recent.removeLast().start();
        }
        dirty.add(start, end);
        if (!recent.isEmpty() && recent.getLast().end() != start) {
            recent.clear();
        }
        if (end - start > MOST_MERGED / 2) {
            // The next extents merge neither with it nor with those before it.
            recent.clear();
        } else {
            recent.addLast(new Ranges.Range(start, end));
        }
    }

    private boolean takesAlong(Ranges.Range before, long start, long end) {
        return before.end() == start
                && before.length() <= end - start
                && end - before.start() <= MOST_MERGED
                && local.covers(before.start(), before.end());
    }

    /** Notes that the table has all of the draft now. */
    public void markPublished() {
        journal.add(Kind.PUBLISHED, node, "");
        notePublished();
    }

    public void notePublished() {
        isNew = false;
        dirty.clear();
        published = size;
        cut = size;
    }

    /** Notes that the table has an empty file now. */
    public void rebaseOnEmpty() {
        journal.add(Kind.ON_EMPTY, node, "");
        noteOnEmpty();
    }

    public void noteOnEmpty() {
        isNew = false;
        published = 0;
        cut = 0;
    }

    /** Notes that the base has other bytes in a range, and perhaps another length. */
    public void rebase(long start, long end, long length) {
        journal.add(Kind.REBASED, node, "", start, end, length);
        noteRebased(start, end, length);
    }

    public void noteRebased(long start, long end, long length) {
        local.remove(start, end);
        size = length;
        published = length;
        cut = length;
    }

    /** Discards the draft. */
    public void discard() throws IOException {
        journal.add(Kind.DISCARDED, node, "");
        bytes.discard();
    }
}
