// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.nbd.DeviceRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * The bytes of a volume now, in layers. The newest layer has what clients wrote last. Below it are the groups on their way into the log,
 * the logged changes, and those that the table got since the last look-up. The lowest layer is the table's answer to that look-up. Each
 * layer covers those below it. Thread-safe.
 */
final class VolumeView {
    /** The newest: no group has them. */
    private WrittenRanges current = new WrittenRanges();
    /** The groups on their way into the log, in their order. */
    private final Deque<WrittenRanges> groups = new ArrayDeque<>();
    /** The groups that the log has, in their order, until the table has them. */
    private final Deque<WrittenRanges> inLog = new ArrayDeque<>();
    /** The changes of these, the later ones over those before. */
    private WrittenRanges logged = new WrittenRanges();
    /** The changes in the table that a running look-up may miss. */
    private WrittenRanges committed = new WrittenRanges();
    /** Those before them, without their bytes: a look-up costs all pieces of the volume, and is for many writes. */
    private WrittenRanges committedBefore = new WrittenRanges();
    /** The changes in the table that a running look-up finds. */
    private WrittenRanges older = new WrittenRanges();

    private final VolumeContents contents;
    private final long committedData;
    private VolumeBase base;
    private boolean isRenewing;

    /** @param committedData bytes of changes in the table that are kept in memory */
    VolumeView(VolumeBase base, VolumeContents contents, long committedData) {
        this.base = base;
        this.contents = contents;
        this.committedData = committedData;
    }

    /** The state of a range at one moment. */
    private record Seen(VolumeBase base, List<WrittenPiece> pieces) {}

    synchronized void put(WrittenPiece piece) {
        current.put(piece);
    }

    /** Returns the memory of the changes that are not in the table. */
    synchronized long pendingBytes() {
        long sum = current.memoryBytes() + logged.memoryBytes();
        for (WrittenRanges group : groups) {
            sum += group.memoryBytes();
        }
        return sum;
    }

    synchronized long currentBytes() {
        return current.memoryBytes();
    }

    synchronized int currentPieces() {
        return current.count();
    }

    synchronized boolean hasCurrent() {
        return !current.isEmpty();
    }

    /**
     * Makes groups of the newest changes, with at most so many pieces each.
     *
     * @param split makes several changes of one, whose order does not matter
     */
    synchronized List<WrittenRanges> seal(int most, Function<WrittenRanges, List<WrittenRanges>> split) {
        List<WrittenRanges> sealed = new ArrayList<>();
        split.apply(current).forEach(part -> sealed.addAll(part.parts(most)));
        groups.addAll(sealed);
        current = new WrittenRanges();
        return sealed;
    }

    /** The log has the first group. */
    synchronized void logged(WrittenRanges placed) {
        WrittenRanges unused = groups.remove();
        inLog.add(placed);
        logged.putAll(placed);
    }

    /** Takes the changes of all groups back that the log does not have: they belong to the next ones, below what was written since. */
    synchronized void giveBack() {
        WrittenRanges all = new WrittenRanges();
        groups.forEach(all::putAll);
        all.putAll(current);
        groups.clear();
        current = all;
    }

    /** Returns the number of pieces that the log has and the table has not. */
    synchronized int loggedPieces() {
        return logged.count();
    }

    /**
     * Some groups from the log.
     *
     * @param groups their number
     */
    record Batch(int groups, WrittenRanges changes) {}

    /** Returns the first groups of the log for the table; at least one, and no further one when they have so many pieces. */
    synchronized Batch batch(int pieces) {
        WrittenRanges changes = new WrittenRanges();
        int count = 0;
        for (WrittenRanges group : inLog) {
            if (count > 0 && changes.count() >= pieces) {
                break;
            }
            changes.putAll(group);
            count++;
        }
        return new Batch(count, changes);
    }

    /** The table has the first groups of the log. */
    synchronized void applied(Batch batch) {
        for (int i = 0; i < batch.groups(); i++) {
            WrittenRanges unused = inLog.remove();
        }
        committed.putAll(batch.changes());
        if (committed.dataBytes() > committedData) {
            committedBefore.putAllWithoutBytes(committed);
            committed = new WrittenRanges();
        }
        logged = new WrittenRanges();
        inLog.forEach(logged::putAll);
    }

    /** Returns the memory of changes that a look-up would free. */
    synchronized long committedBytes() {
        return committed.memoryBytes() + committedBefore.memoryBytes() + older.memoryBytes();
    }

    synchronized VolumeBase base() {
        return base;
    }

    /** Begins a look-up of the table; returns false when one is under way. */
    synchronized boolean beginRenewal() {
        if (isRenewing) {
            return false;
        }
        older.putAll(committedBefore);
        older.putAll(committed);
        committedBefore = new WrittenRanges();
        committed = new WrittenRanges();
        isRenewing = true;
        return true;
    }

    /** Ends a look-up that began later than all older changes were in the table. */
    synchronized void renewed(VolumeBase now) {
        // Reads of the former base may be under way: it holds nothing that needs a close.
        base = now;
        older = new WrittenRanges();
        isRenewing = false;
        notifyAll();
    }

    synchronized void renewalFailed() {
        isRenewing = false;
        notifyAll();
    }

    /** Waits while a look-up is under way. */
    synchronized void awaitRenewal() throws InterruptedException {
        while (isRenewing) {
            wait();
        }
    }

    private synchronized Seen mapped(long offset, long end) {
        List<WrittenPiece> pieces = new ArrayList<>();
        older.addWithin(offset, end, pieces);
        committedBefore.addWithin(offset, end, pieces);
        committed.addWithin(offset, end, pieces);
        return new Seen(base, pieces);
    }

    private synchronized Seen seen(long offset, long end) {
        Seen mapped = mapped(offset, end);
        List<WrittenPiece> pieces = mapped.pieces();
        logged.addWithin(offset, end, pieces);
        groups.forEach(group -> group.addWithin(offset, end, pieces));
        current.addWithin(offset, end, pieces);
        return mapped;
    }

    /**
     * Fills a buffer with the bytes that the table has, whatever was written since. Only the thread that changes the table calls it, for
     * ranges that it is not changing.
     */
    void readMapped(long offset, ByteBuffer into) throws IOException {
        read(offset, into, mapped(offset, offset + into.remaining()));
    }

    /**
     * Fills a buffer. It reads from the base only what no change covers.
     */
    void read(long offset, ByteBuffer into) throws IOException {
        read(offset, into, seen(offset, offset + into.remaining()));
    }

    private void read(long offset, ByteBuffer into, Seen seen) throws IOException {
        int length = into.remaining();
        WrittenRanges top = merged(seen.pieces());
        int start = into.position();
        long at = offset;
        List<WrittenPiece> covering = new ArrayList<>();
        top.addWithin(offset, offset + length, covering);
        for (WrittenPiece piece : covering) {
            fill(seen.base(), at, piece.offset(), start - offset, into);
            int index = start + (int) (piece.offset() - offset);
            if (piece.isHere()) {
                piece.copyInto(into, index);
            } else {
                contents.read(
                        piece.place().orElseThrow(),
                        into.duplicate().limit(index + (int) piece.length()).position(index));
            }
            at = piece.end();
        }
        fill(seen.base(), at, offset + length, start - offset, into);
        into.position(start + length);
    }

    private static void fill(VolumeBase from, long at, long end, long shift, ByteBuffer into) throws IOException {
        if (at < end) {
            ByteBuffer part = into.duplicate();
            part.limit((int) (end + shift)).position((int) (at + shift));
            from.read(at, part);
        }
    }

    private static WrittenRanges merged(List<WrittenPiece> pieces) {
        WrittenRanges merged = new WrittenRanges();
        pieces.forEach(merged::put);
        return merged;
    }

    /** Returns neighbouring ranges of data and of holes. */
    List<DeviceRange> ranges(long offset, long length, int most) {
        long end = offset + length;
        Seen seen = seen(offset, end);
        List<WrittenPiece> covering = new ArrayList<>();
        merged(seen.pieces()).addWithin(offset, end, covering);
        List<DeviceRange> ranges = new ArrayList<>();
        int next = 0;
        for (long at = offset; at < end; ) {
            while (next < covering.size() && covering.get(next).end() <= at) {
                next++;
            }
            DeviceRange range;
            if (next < covering.size() && covering.get(next).offset() <= at) {
                WrittenPiece piece = covering.get(next);
                range = new DeviceRange(at, piece.end() - at, piece.isHole());
            } else {
                range = seen.base()
                        .range(at, next < covering.size() ? covering.get(next).offset() : end);
            }
            int last = ranges.size() - 1;
            if (last >= 0 && ranges.get(last).isHole() == range.isHole()) {
                DeviceRange before = ranges.get(last);
                ranges.set(last, new DeviceRange(before.offset(), before.length() + range.length(), range.isHole()));
            } else if (ranges.size() == most) {
                return ranges;
            } else {
                ranges.add(range);
            }
            at = range.end();
        }
        return ranges;
    }
}
