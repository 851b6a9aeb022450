// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.FoundEntry;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * The entries at paths that a program is about to look up, hundreds of them by one request. A lookup of one of them
 * meanwhile waits for its answer. Thread-safe.
 */
final class LookupCache {
    /** The paths of the first request, for which a starting program waits. */
    private static final int FIRST = 32;

    private static final int AT_ONCE = 250;
    private static final int MOST = 200_000;

    private final BdtLookups bdt;
    private final long validNanos;
    private final LongSupplier nanoTime;
    private final Cache<FilePath, Asked> names =
            CacheBuilder.newBuilder().maximumSize(MOST).build();

    /**
     * A path under request.
     *
     * @param began the time from which its answer counts
     * @param answer the entry; without a value if it is unknown
     */
    private record Asked(FilePath path, long began, CompletableFuture<Optional<FoundEntry>> answer) {}

    /** @param validNanos the time for which an answer counts */
    LookupCache(BdtLookups bdt, long validNanos, LongSupplier nanoTime) {
        this.bdt = bdt;
        this.validNanos = validNanos;
        this.nanoTime = nanoTime;
    }

    /** Asks for the unknown ones of the paths, the first ones first. */
    void find(List<FilePath> paths) throws IOException {
        List<Asked> mine = new ArrayList<>();
        for (FilePath path : paths) {
            Asked asked = new Asked(path, nanoTime.getAsLong(), new CompletableFuture<>());
            Asked before = names.asMap().putIfAbsent(path, asked);
            if (before == null || (!counts(before) && names.asMap().replace(path, before, asked))) {
                mine.add(asked);
            }
        }
        try {
            int size = FIRST;
            for (int from = 0; from < mine.size(); ) {
                int to = Math.min(mine.size(), from + size);
                ask(mine.subList(from, to));
                from = to;
                size = AT_ONCE;
            }
        } finally {
            // Lookups wait for the unanswered ones: they ask themselves.
            mine.forEach(each -> settle(each, Optional.empty()));
        }
    }

    private void ask(List<Asked> some) throws IOException {
        List<FoundEntry> found = bdt.find(some.stream().map(Asked::path).toList());
        for (int i = 0; i < some.size(); i++) {
            FoundEntry entry = found.get(i);
            settle(some.get(i), entry.denied().isPresent() ? Optional.empty() : Optional.of(entry));
        }
    }

    private void settle(Asked asked, Optional<FoundEntry> answer) {
        if (asked.answer().complete(answer) && answer.isEmpty()) {
            boolean unused = names.asMap().remove(asked.path(), asked);
        }
    }

    private boolean counts(Asked asked) {
        return nanoTime.getAsLong() - asked.began() < validNanos;
    }

    /** Returns the entry at a path, if it was requested; waits for an answer on its way. */
    Optional<FoundEntry> at(FilePath path) throws IOException {
        Asked asked = names.getIfPresent(path);
        if (asked == null || !counts(asked)) {
            return Optional.empty();
        }
        try {
            return asked.answer().get();
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Forgets the answers at a path and below it. */
    void forget(FilePath path) {
        names.asMap().keySet().removeIf(path::contains);
    }
}
