package io.packing.worker.buffer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a segment is needed for: the files that have bytes in it, and how far it is. Guarded by its {@link BufferState}. */
final class SegmentUse {
    /** Files that have bytes here and are still needed, by their state. */
    private final Map<BufferedFile.State, Integer> counts = new EnumMap<>(BufferedFile.State.class);

    /** Where the records of files start whose fate is not known yet, in their order: such a segment is not packed. */
    private final Map<Long, Long> pending = new LinkedHashMap<>();

    /** The large files that have bytes here; small ones are found in the index. */
    private final Set<BufferedFile> large = new LinkedHashSet<>();

    /** Files that a packer has taken. */
    private final List<BufferedFile> taken = new ArrayList<>();

    private long minId = Long.MAX_VALUE;
    private long maxId;
    private long placedEnd;
    private SealCause cause = SealCause.SIZE;
    private boolean rolled;
    private boolean sealing;
    private boolean sealed;

    /** That of a segment of an earlier process: it takes no more records. */
    static SegmentUse ofEarlierProcess() {
        SegmentUse use = new SegmentUse();
        use.roll(SealCause.RESTART);
        return use;
    }

    /** Records up to here are accounted for. */
    void placed(long end) {
        placedEnd = end;
    }

    /** Counts a file in a state, or not any more. */
    void count(BufferedFile.State state, int change) {
        counts.merge(state, change, Integer::sum);
    }

    int count(BufferedFile.State state) {
        return counts.getOrDefault(state, 0);
    }

    /** A file has its record at this position, and its fate is not known. */
    void pends(long fileId, long at) {
        pending.put(fileId, at);
    }

    /** The fate of a file is known; returns whether it was not before. */
    boolean settle(long fileId) {
        return pending.remove(fileId) != null;
    }

    /** A file of the segment has a row in the index now. */
    void indexed(long fileId) {
        minId = Math.min(minId, fileId);
        maxId = Math.max(maxId, fileId);
    }

    /** The smallest id of a file that is in the index. */
    long minId() {
        return minId;
    }

    /** The largest one. */
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

    /** It takes no more records. */
    void roll(SealCause why) {
        rolled = true;
        cause = why;
    }

    /** Why it takes no more records. */
    SealCause cause() {
        return cause;
    }

    /** A packer makes a blob of it. */
    void seal() {
        sealing = true;
    }

    /** Files are the packer's that seals it. */
    void take(List<BufferedFile> files) {
        taken.addAll(files);
    }

    /** The packer has pushed the blob, or gives the segment back; returns the files that it took. */
    List<BufferedFile> release(boolean pushed) {
        List<BufferedFile> had = List.copyOf(taken);
        taken.clear();
        sealing = false;
        sealed = pushed;
        return had;
    }

    /** Whether all its records are there and none is in a blob yet. */
    boolean waits() {
        return rolled && !sealed;
    }

    /** Whether it is being sealed or pushed, or waits for that, or for the commit of its files. */
    boolean isUnderWay() {
        return rolled && (!sealed || count(BufferedFile.State.PUSHED) > 0);
    }

    /** Whether the fate of all its files is known. */
    boolean isSettled() {
        return rolled && pending.isEmpty();
    }

    /** Whether a blob can be made of it. */
    boolean isReady() {
        return isSettled() && !sealing && !sealed && hasLiving();
    }

    /** Whether it takes no more records and has files that wait to be packed. */
    boolean isOffered() {
        return rolled && hasLiving();
    }

    private boolean hasLiving() {
        return count(BufferedFile.State.LIVE) > 0;
    }

    /** Whether it has files that wait for the store. */
    boolean hasUnpushed() {
        return count(BufferedFile.State.PENDING) + count(BufferedFile.State.LIVE) + count(BufferedFile.State.SEALING)
                > 0;
    }

    /** Whether no file has bytes here that are still needed. */
    boolean isEmpty() {
        return counts.values().stream().allMatch(count -> count == 0);
    }

    /** Whether it takes no records and has no file yet. */
    boolean isUnwritten() {
        return isEmpty() && !rolled;
    }

    /** Whether nobody writes, packs or needs it. */
    boolean isUnused() {
        return rolled && !sealing && isEmpty();
    }

    /** Whether all its files are known to be damaged: nothing will ever be packed from here. */
    boolean isOnlyDamaged() {
        int damaged = count(BufferedFile.State.DAMAGED);
        return damaged > 0
                && damaged
                        == counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Up to where a restart need not scan. */
    long checkpoint() {
        return pending.isEmpty() ? placedEnd : pending.values().iterator().next();
    }
}
