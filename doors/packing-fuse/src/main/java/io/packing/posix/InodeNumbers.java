package io.packing.posix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.packing.blob.FilePath;

/** Inode numbers that are not the ids that the table has for files now. */
final class InodeNumbers {
    /** Marks those of files that are not in the table. */
    static final long LOCAL = 1L << 62;
    /** Marks those in snapshots. */
    private static final long PAST = 1L << 61;

    private InodeNumbers() {}

    /**
     * Of an entry of a snapshot, another one than that of the entry now, and in each snapshot another one: programs take equal numbers
     * for one file, so that {@code cp} would not put an old file in the place of the new one, nor {@code ls -R} walk into a snapshot.
     */
    static long ofPast(FilePath path, long id) {
        String text = path.value();
        int name = path.snapshotsAt() + FilePath.SNAPSHOTS.length() + 2;
        int end = text.indexOf('/', name);
        String snapshot = end < 0 ? text : text.substring(0, end);
        long start = Hashing.murmur3_128().hashString(snapshot, UTF_8).asLong();
        return PAST | ((start + id) & (PAST - 1));
    }
}
