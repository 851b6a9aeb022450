// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.blob.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A file with many whole extents: those that are neighbours in a blob come with one request. */
interface ExtentRunSource {
    /** The most bytes between two extents of a run, such as heads of records, which a read fetches and drops. */
    int MOST_BETWEEN = 64 << 10;

    /** Returns the extent that begins at the position, if the file has all of its bytes. */
    Optional<BlobExtent> wholeExtent(long position);

    /** Returns the extents from the position on that one request reads, of at most so many bytes. */
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

    /** Returns the end of a run. */
    static long end(long position, List<BlobExtent> run) {
        return position + run.stream().mapToLong(each -> each.extent().length()).sum();
    }
}
