// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.read.FilePages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the rest of large files that a start reads here and there. A program jumps through its libraries and waits for a request at each
 * place, one after the other: a build by clang reads in all extents but a few of 165 MB. Thread-safe.
 */
final class LargeFiles {
    /** An extent has so many bytes at most. */
    static final int PLACE_BYTES = 4 << 20;
    /** A file that was read in so many places is read in more of them. */
    static final int FEW_PLACES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(LargeFiles.class);
    private static final int MOST_FILES = 1_000;
    /** Requests at once: those of readers come between them. */
    private static final int AT_ONCE = 2;

    private final RemotePackingFileSystem mount;
    private final Executor threads;

    /** The places at which a start has read large files. Not thread-safe. */
    static final class Places {
        private final Map<String, BitSet> read = new HashMap<>();

        /** Notes a read; returns true once for each file, when it has been read in some places. */
        boolean add(String path, long offset, int length) {
            BitSet places = read.get(path);
            if (places == null) {
                if (read.size() == MOST_FILES) {
                    return false;
                }
                places = new BitSet();
                read.put(path, places);
            }
            int before = places.cardinality();
            places.set((int) (offset / PLACE_BYTES), (int) ((offset + length - 1) / PLACE_BYTES) + 1);
            return before < FEW_PLACES && places.cardinality() >= FEW_PLACES;
        }
    }

    /** A run of pages of a blob that one request fetches. */
    private record Run(BlobPage first, BlobPage last) {}

    /** @param threads that bring files */
    LargeFiles(RemotePackingFileSystem mount, Executor threads) {
        this.mount = mount;
        this.threads = threads;
    }

    /**
     * Brings the parts of a file that are not cached, if the cache has room for it. A reader of pages on their way
     * waits for them. Returns at once.
     *
     * @param start which reads it
     */
    void bring(FilePath path, StartRecording start) {
        threads.execute(() -> {
            try {
                Optional<LocatedFile> file = mount.bdt().locate(path);
                if (file.isEmpty()
                        || !start.addWhole(file.get().status().attributes().length(), mostBytes())) {
                    return;
                }
                Queue<Run> left = new ConcurrentLinkedQueue<>(runs(file.get()));
                for (int i = 0; i < AT_ONCE; i++) {
                    next(path, left);
                }
            } catch (IOException | RuntimeException e) {
                LOG.warn("the rest of {} is not brought: {}", path, e.toString());
            }
        });
    }

    /**
     * Returns the most bytes of files that are brought whole for a start: the rest of the cache is for its other reads.
     */
    private long mostBytes() {
        return mount.pages().cache().mostBytes() / 4 * 3;
    }

    private static List<Run> runs(LocatedFile file) {
        List<Run> runs = new ArrayList<>();
        for (BlobPage page :
                FilePages.of(file.placement(), 0, file.status().attributes().length())) {
            Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last != null
                    && last.last().blob().equals(page.blob())
                    && last.last().number() + 1 == page.number()
                    && page.number() - last.first().number() < PLACE_BYTES / BlobPage.BYTES) {
                runs.set(runs.size() - 1, new Run(last.first(), page));
            } else {
                runs.add(new Run(page, page));
            }
        }
        return runs;
    }

    /** Brings one run, and then the next one: other work of the threads comes between. */
    private void next(FilePath path, Queue<Run> left) {
        Run run = left.poll();
        if (run == null) {
            return;
        }
        threads.execute(() -> {
            try {
                mount.pages()
                        .bring(
                                run.first().blob(),
                                run.first().number(),
                                run.last().number());
                next(path, left);
            } catch (IOException | RuntimeException e) {
                LOG.warn("the rest of {} is not brought: {}", path, e.toString());
                left.clear();
            }
        });
    }
}
