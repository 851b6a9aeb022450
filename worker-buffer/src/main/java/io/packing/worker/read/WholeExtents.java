package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.blob.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A file of whose bytes many are whole extents: those that lie one behind the other in a blob come with one request. */
interface WholeExtents {
    /** What lies between two extents of a run, as heads of records do, is fetched and thrown away. */
    int MOST_BETWEEN = 64 << 10;

    /** The extent that begins at the position, if all of its bytes are the file's. */
    Optional<BlobExtent> wholeExtent(long position);

    /** Extents from the position on that one request gets, of at most so many bytes. */
    default List<BlobExtent> run(long position, int most) {
        List<BlobExtent> run = new ArrayList<>();
        int bytes = 0;
        Optional<BlobExtent> next = wholeExtent(position);
        while (next.isPresent()
                && next.get().extent().length() <= most - bytes
                && (run.isEmpty() || isBehind(next.get(), run.get(run.size() - 1)))) {
            run.add(next.get());
            bytes += next.get().extent().length();
            next = wholeExtent(position + bytes);
        }
        return run;
    }

    private static boolean isBehind(BlobExtent at, BlobExtent before) {
        long between = at.extent().blobOffset() - before.extent().blobEnd();
        return at.blob().equals(before.blob())
                && between >= 0
                && between <= MOST_BETWEEN
                && at.extent().codec() == Codec.NONE
                && before.extent().codec() == Codec.NONE;
    }

    /** Where a run ends. */
    static long end(long position, List<BlobExtent> run) {
        return position + run.stream().mapToLong(each -> each.extent().length()).sum();
    }
}
