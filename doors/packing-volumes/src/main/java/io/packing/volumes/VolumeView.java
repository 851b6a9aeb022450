// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.nbd.DeviceRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a volume now, in layers. The newest layer has what clients wrote last. Below it are the changes of a commit,
 * then those that the table got since the last look-up. The lowest layer is the table's answer to that look-up. Each layer
 * covers those below it. Thread-safe.
 */
final class VolumeView {
    /** The newest: no commit has them. */
    private WrittenRanges current = new WrittenRanges();
    /** The changes that a commit has now. */
    private WrittenRanges committing = new WrittenRanges();
    /** The changes in the table that a running look-up may miss. */
    private WrittenRanges committed = new WrittenRanges();
    /** The changes in the table that a running look-up finds. */
    private WrittenRanges older = new WrittenRanges();

    private VolumeBase base;
    private boolean isRenewing;

    VolumeView(VolumeBase base) {
        this.base = base;
    }

    /** The state of a range at one moment. */
    private record Seen(VolumeBase base, List<WrittenPiece> pieces) {}

    synchronized void put(WrittenPiece piece) {
        current.put(piece);
    }

    /** Returns the memory of the changes that are not in the table. */
    synchronized long pendingBytes() {
        return current.memoryBytes() + committing.memoryBytes();
    }

    synchronized long currentBytes() {
        return current.memoryBytes();
    }

    synchronized boolean hasCurrent() {
        return !current.isEmpty();
    }

    synchronized boolean hasPending() {
        return !current.isEmpty() || !committing.isEmpty();
    }

    /** Returns the newest changes for a commit, which ends by {@link #committed} or {@link #giveBack}. */
    synchronized WrittenRanges beginCommit() {
        if (!committing.isEmpty()) {
            throw new IllegalStateException("a commit is under way");
        }
        committing = current;
        current = new WrittenRanges();
        return committing;
    }

    synchronized void committed() {
        committed.putAll(committing);
        committing = new WrittenRanges();
    }

    /** Takes the changes of a failed commit back: they belong to the next one, below what was written since. */
    synchronized void giveBack() {
        WrittenRanges all = new WrittenRanges();
        all.putAll(committing);
        all.putAll(current);
        current = all;
        committing = new WrittenRanges();
    }

    /** Returns the memory of changes that a look-up would free. */
    synchronized long committedBytes() {
        return committed.memoryBytes() + older.memoryBytes();
    }

    synchronized VolumeBase base() {
        return base;
    }

    /** Begins a look-up of the table; returns false when one is under way. */
    synchronized boolean beginRenewal() {
        if (isRenewing) {
            return false;
        }
        older.putAll(committed);
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

    private synchronized Seen seen(long offset, long end) {
        List<WrittenPiece> pieces = new ArrayList<>();
        older.addWithin(offset, end, pieces);
        committed.addWithin(offset, end, pieces);
        committing.addWithin(offset, end, pieces);
        current.addWithin(offset, end, pieces);
        return new Seen(base, pieces);
    }

    /**
     * Fills a buffer. It reads from the base only what no change covers.
     */
    void read(long offset, ByteBuffer into) throws IOException {
        int length = into.remaining();
        Seen seen = seen(offset, offset + length);
        WrittenRanges top = merged(seen.pieces());
        int start = into.position();
        long at = offset;
        List<WrittenPiece> covering = new ArrayList<>();
        top.addWithin(offset, offset + length, covering);
        for (WrittenPiece piece : covering) {
            fill(seen.base(), at, piece.offset(), start - offset, into);
            piece.copyInto(into, start + (int) (piece.offset() - offset));
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
