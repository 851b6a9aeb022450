package io.packing.posix;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.Bdt;
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
 * What is at paths that somebody is about to look up, hundreds of them by one request. Whoever looks one up meanwhile waits for its answer.
 * Thread-safe.
 */
final class FoundNames {
    /** A program that starts waits for the first ones. */
    private static final int FIRST = 32;

    private static final int AT_ONCE = 250;
    private static final int MOST = 200_000;

    private final Bdt bdt;
    private final long validNanos;
    private final LongSupplier nanoTime;
    private final Cache<FilePath, Asked> names =
            CacheBuilder.newBuilder().maximumSize(MOST).build();

    /**
     * A path that was asked for.
     *
     * @param began when its answer begins to be true
     * @param answer of what is there; without a value if that is not known
     */
    private record Asked(FilePath path, long began, CompletableFuture<Optional<FoundEntry>> answer) {}

    /** @param validNanos for how long an answer counts */
    FoundNames(Bdt bdt, long validNanos, LongSupplier nanoTime) {
        this.bdt = bdt;
        this.validNanos = validNanos;
        this.nanoTime = nanoTime;
    }

    /** Asks for the paths of which nothing is known, the first ones first. */
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
            // Others wait for those that were not answered: they ask themselves.
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

    /** What is at a path, as far as it was asked for; waits for an answer that is on its way. */
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

    /** Whatever is at a path or below it is asked for again. */
    void forget(FilePath path) {
        names.asMap().keySet().removeIf(path::contains);
    }
}
