package io.packing.posix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.posix.StateJournal.Kind;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What programs see as inode numbers: the ids that the table has for files, but for files that have none yet, or one that is another
 * file's, too. Programs take equal numbers for one file. Thread-safe.
 */
final class InodeNumbers {
    /** Marks those of files that are not in the table. */
    static final long LOCAL = 1L << 62;
    /** Marks those in snapshots. */
    private static final long PAST = 1L << 61;
    /** Marks those of what a clone of a directory has no entry of its own for. */
    private static final long INHERITED = 1L << 60;

    private final boolean shares;
    /** By id, those that programs saw before the table gave the file this id. */
    private final Map<Long, Long> shown = new ConcurrentHashMap<>();
    /** Of what a clone had from its original, and has an entry of its own for by now. */
    private final Set<Long> keptInherited = ConcurrentHashMap.newKeySet();

    /** @param shares whether what clones have from one original is one file, as where nothing is written */
    InodeNumbers(boolean shares) {
        this.shares = shares;
    }

    /** Of what the table has in a directory; without one, of the root. */
    long of(@Nullable Node parent, FileStatus status) {
        long id = status.version().id();
        if (status.path().isPast()) {
            return ofPast(status.path(), id);
        }
        if (!status.isInherited() || shares) {
            return shown.getOrDefault(id, id);
        }
        if (status.cloneId() != 0) {
            // Under all names that the clone has of it.
            return ofInherited(status.cloneId(), id);
        }
        long inherited = ofInherited(parent == null ? 0 : parent.inode, id);
        // A clone of an older version makes each name a file of its own when it is changed.
        return status.extras().isLinked()
                ? ofInherited(
                        inherited,
                        Hashing.murmur3_128()
                                .hashString(status.path().name(), UTF_8)
                                .asLong())
                : inherited;
    }

    /** Whether a number is of something that a clone has from its original, as far as is known here. */
    boolean isInherited(long inode) {
        return isMarkedInherited(inode) && !keptInherited.contains(inode);
    }

    /** Programs go on seeing the number that they saw before the table gave the file this id. */
    void show(StateJournal journal, long id, long inode) {
        if (id != inode) {
            journal.add(Kind.SHOWN, id, "", inode);
            restore(id, inode);
        }
    }

    /** As an earlier server did it. */
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
     * Of an entry of a snapshot, another one than that of the entry now, and in each snapshot another one: so that {@code cp} would not
     * put an old file in the place of the new one, nor {@code ls -R} walk into a snapshot.
     */
    private static long ofPast(FilePath path, long id) {
        String text = path.value();
        int name = path.snapshotsAt() + FilePath.SNAPSHOTS.length() + 2;
        int end = text.indexOf('/', name);
        String snapshot = end < 0 ? text : text.substring(0, end);
        long start = Hashing.murmur3_128().hashString(snapshot, UTF_8).asLong();
        return PAST | ((start + id) & (PAST - 1));
    }

    /** Another one than that of the original, which is another file as soon as either is changed. */
    private static long ofInherited(long parent, long id) {
        return INHERITED | ((Hashing.murmur3_128().hashLong(parent).asLong() + id) & (INHERITED - 1));
    }

    private static boolean isMarkedInherited(long inode) {
        return (inode & (LOCAL | PAST | INHERITED)) == INHERITED;
    }
}
