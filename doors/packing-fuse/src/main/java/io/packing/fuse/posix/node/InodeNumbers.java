// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.draft.StateJournal;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The inode numbers that programs see. They are the table's file ids, except for files that have none yet, or one that
 * another file shares. Programs take equal numbers for one file. Thread-safe.
 */
public final class InodeNumbers {
    /** The mark of files that are not in the table. */
    static final long LOCAL = 1L << 62;
    /** The mark of files in snapshots. */
    private static final long PAST = 1L << 61;
    /** The mark of files that a clone of a directory has no own entry for. */
    private static final long INHERITED = 1L << 60;

    private final boolean shares;
    /** The numbers that programs saw before the table gave the file this id, by id. */
    private final Map<Long, Long> shown = new ConcurrentHashMap<>();
    /** The numbers of files that a clone had from its original, and has an own entry for by now. */
    private final Set<Long> keptInherited = ConcurrentHashMap.newKeySet();

    /** @param shares true if clones' files from one original are one file, as in read-only mounts */
    InodeNumbers(boolean shares) {
        this.shares = shares;
    }

    /** Returns the number of a directory's entry in the table; without a directory, of the root. */
    public long of(@Nullable Node parent, FileStatus status) {
        long id = status.version().id();
        if (status.path().isPast()) {
            return ofPast(status.path(), id);
        }
        if (!status.isInherited() || shares) {
            return shown.getOrDefault(id, id);
        }
        if (status.cloneId() != 0) {
            // One number for all names that the clone has of it.
            return ofInherited(status.cloneId(), id);
        }
        long inherited = ofInherited(parent == null ? 0 : parent.inode, id);
        // In a clone of an older version each name becomes a file of its own with a change.
        return status.extras().isLinked()
                ? ofInherited(
                        inherited,
                        Hashing.murmur3_128()
                                .hashString(status.path().name(), UTF_8)
                                .asLong())
                : inherited;
    }

    /** Returns whether a clone still has this number's file from its original, as far as is known here. */
    public boolean isInherited(long inode) {
        return isMarkedInherited(inode) && !keptInherited.contains(inode);
    }

    /** Keeps the number that programs saw before the table gave the file this id. */
    void show(StateJournal journal, long id, long inode) {
        if (id != inode) {
            journal.add(Kind.SHOWN, id, "", inode);
            restore(id, inode);
        }
    }

    /** Repeats the mapping of an earlier server. */
    void restore(long id, long inode) {
        shown.put(id, inode);
        if (isMarkedInherited(inode)) {
            keptInherited.add(inode);
        }
    }

    void describe(StateJournal to) {
        shown.forEach((id, inode) -> to.add(Kind.SHOWN, id, "", inode));
    }

    /**
     * Returns the number of an entry of a snapshot. It differs from that of the present entry, and between snapshots.
     * Otherwise {@code cp} might take an old file for the new one, and {@code ls -R} walk into a snapshot.
     */
    private static long ofPast(FilePath path, long id) {
        String text = path.value();
        int name = path.snapshotsAt() + FilePath.SNAPSHOTS.length() + 2;
        int end = text.indexOf('/', name);
        String snapshot = end < 0 ? text : text.substring(0, end);
        long start = Hashing.murmur3_128().hashString(snapshot, UTF_8).asLong();
        return PAST | ((start + id) & (PAST - 1));
    }

    /** Returns another number than the original's, since the two become different files with a change. */
    private static long ofInherited(long parent, long id) {
        return INHERITED | ((Hashing.murmur3_128().hashLong(parent).asLong() + id) & (INHERITED - 1));
    }

    private static boolean isMarkedInherited(long inode) {
        return (inode & (LOCAL | PAST | INHERITED)) == INHERITED;
    }
}
