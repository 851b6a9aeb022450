// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The uses of a segment: the files with bytes in it, and its own state. Guarded by its {@link BufferState}. */
final class SegmentUse {
    /** The number of needed files with bytes here, by their state. */
    private final Map<BufferedFile.State, Integer> counts = new EnumMap<>(BufferedFile.State.class);

    /** The start of each record whose file has no known fate yet, in order: such a segment is not packed. */
    private final Map<Long, Long> pending = new LinkedHashMap<>();

    /** The large files with bytes here; the index has the small ones. */
    private final Set<BufferedFile> large = new LinkedHashSet<>();

    /** The files that a packer has taken. */
    private final List<BufferedFile> taken = new ArrayList<>();

    private long minId = Long.MAX_VALUE;
    private long maxId;
    private long placedEnd;
    private SealCause cause = SealCause.SIZE;
    private boolean rolled;
    private boolean sealing;
    private boolean sealed;
    /** True while the blob that a packer makes lacks a file that waits to be packed. */
    private boolean lacksFile;

    /** Returns the uses of an earlier process's segment, which takes no more records. */
    static SegmentUse ofEarlierProcess() {
        SegmentUse use = new SegmentUse();
        use.roll(SealCause.RESTART);
        return use;
    }

    /** Notes that records up to here are accounted for. */
    void placed(long end) {
        placedEnd = end;
    }

    /** Changes the number of files in a state. */
    void count(BufferedFile.State state, int change) {
        counts.merge(state, change, Integer::sum);
    }

    int count(BufferedFile.State state) {
        return counts.getOrDefault(state, 0);
    }

    /** Notes a file with a record at this position, whose fate is not known. */
    void pends(long fileId, long at) {
        pending.put(fileId, at);
    }

    /** Notes that the fate of a file is known; returns true if it was not before. */
    boolean settle(long fileId) {
        return pending.remove(fileId) != null;
    }

    /** Notes that a file of the segment has a row in the index. */
    void indexed(long fileId) {
        minId = Math.min(minId, fileId);
        maxId = Math.max(maxId, fileId);
    }

    /** Returns the smallest id of a file that is in the index. */
    long minId() {
        return minId;
    }

    /** Returns the largest id of a file that is in the index. */
    long maxId() {
        return maxId;
    }

    void addLarge(BufferedFile file) {
        large.add(file);
    }

    void removeLarge(BufferedFile file) {
        large.remove(file);
    }

    Set<BufferedFile> large() {
        return large;
    }

    /** Ends the segment, which takes no more records. */
    void roll(SealCause why) {
        rolled = true;
        cause = why;
    }

    /** Returns the cause for which it takes no more records. */
    SealCause cause() {
        return cause;
    }

    /** Returns whether it takes records, and no packer makes a blob of it. */
    boolean isFilling() {
        return !rolled && !sealing && !sealed;
    }

    /** Returns the number of files that need it. */
    int files() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Notes that a packer makes a blob of it. */
    void seal() {
        sealing = true;
    }

    /** Notes the files that the packer took. */
    void take(List<BufferedFile> files) {
        taken.addAll(files);
    }

    /** Takes the segment back, with its blob pushed or not; returns the files that the packer took. */
    List<BufferedFile> release(boolean pushed) {
        List<BufferedFile> had = List.copyOf(taken);
        taken.clear();
        sealing = false;
        sealed = pushed && !lacksFile;
        lacksFile = false;
        return had;
    }

    /** Notes a file that its blob may lack, since it was deleted for a time: the segment is given out once more. */
    void giveOutAgain() {
        lacksFile = sealing;
        sealed = false;
    }

    /** Returns whether it takes no more records and is in no blob yet. */
    boolean waits() {
        return rolled && !sealed && !isOnly(BufferedFile.State.DELETED);
    }

    /** Returns whether it waits for its blob, or for the commit of its files. */
    boolean isUnderWay() {
        return waits() || (rolled && count(BufferedFile.State.PUSHED) > 0);
    }

    /** Returns whether the fate of all its files is known. */
    boolean isSettled() {
        return rolled && pending.isEmpty();
    }

    /** Returns whether a packer can make a blob of it. */
    boolean isReady() {
        return isSettled() && !sealing && !sealed && hasLiving();
    }

    /** Returns whether it takes no more records and has files that wait to be packed. */
    boolean isOffered() {
        return rolled && hasLiving();
    }

    private boolean hasLiving() {
        return count(BufferedFile.State.LIVE) > 0;
    }

    /** Returns whether it has files that wait for the store. */
    boolean hasUnpushed() {
        return count(BufferedFile.State.PENDING) + count(BufferedFile.State.LIVE) + count(BufferedFile.State.SEALING)
                > 0;
    }

    /** Returns whether no file needs bytes here. */
    boolean isEmpty() {
        return counts.values().stream().allMatch(count -> count == 0);
    }

    /** Returns whether it has bytes of files that the mount has, or is under way. */
    boolean isNeeded() {
        return !(isEmpty() && !rolled) && !isOnly(BufferedFile.State.DELETED);
    }

    /** Returns whether no thread writes or packs it and no file needs it. */
    boolean isUnused() {
        return rolled && !sealing && isEmpty();
    }

    /** Returns whether it has files, and all of them are in this state. */
    boolean isOnly(BufferedFile.State state) {
        int files = count(state);
        return files > 0
                && files == counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the position up to which a restart need not scan. */
    long checkpoint() {
        return pending.isEmpty() ? placedEnd : pending.values().iterator().next();
    }
}
