// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Lookups of paths that calls make at the same time and that share requests to the master. A lookup without others
 * beside it is sent alone and at once. While {@value #MOST_REQUESTS} requests are on their way, further lookups wait
 * and share the next one. So each answer is from a state of the table after its lookup began. Thread-safe.
 */
final class SharedLookups {
    /** The most requests under way: during one the next is gathered. */
    private static final int MOST_REQUESTS = 2;

    private static final int MOST_AT_ONCE = 128;
    /** The pieces of a file from which on its map would make the answers to others large. */
    private static final int MANY_PIECES = 64;

    private static final int MOST_FRAGMENTED = 10_000;
    /** The answer to a lookup whose shared request has none for it. */
    private static final FoundEntry UNTOLD = new FoundEntry(Optional.empty(), Optional.of("no answer"));

    private final BdtLookups bdt;
    /** The files with many pieces, whose attributes are asked for alone: a lookup with others has their maps, too. */
    private final Cache<FilePath, FilePath> fragmented =
            CacheBuilder.newBuilder().maximumSize(MOST_FRAGMENTED).build();

    private final Deque<WaitingLookup> waiting = new ArrayDeque<>();
    private int requests;

    SharedLookups(BdtLookups bdt) {
        this.bdt = bdt;
    }

    /**
     * A lookup of a waiting call.
     *
     * @param answer the entry; without a value if the waiting thread has to send the next request
     */
    private record WaitingLookup(FilePath path, CompletableFuture<Optional<FoundEntry>> answer) {}

    /** A lookup by a request of its own. */
    private interface LoneLookup<T> {
        Optional<T> ask() throws IOException;
    }

    /** Returns the attributes at a path, as {@link BdtLookups#stat} does. */
    Optional<FileStatus> stat(FilePath path) throws IOException {
        if (fragmented.getIfPresent(path) != null) {
            return bdt.stat(path);
        }
        return ask(
                path, () -> bdt.stat(path), found -> Optional.of(found.entry().map(ListedEntry::status)));
    }

    /** Returns the place of a file's bytes, as {@link BdtLookups#locate(FilePath)} does. */
    Optional<LocatedFile> locate(FilePath path) throws IOException {
        return ask(path, () -> bdt.locate(path), SharedLookups::located);
    }

    /** Returns the file of an answer; empty if the answer has a file without its place. */
    private static Optional<Optional<LocatedFile>> located(FoundEntry found) {
        if (found.entry().filter(entry -> !entry.status().isDirectory()).isEmpty()) {
            return Optional.of(Optional.empty());
        }
        ListedEntry entry = found.entry().get();
        return entry.placement().isEmpty()
                ? Optional.empty()
                : Optional.of(Optional.of(
                        new LocatedFile(entry.status(), entry.placement().get())));
    }

    private <T> Optional<T> ask(FilePath path, LoneLookup<T> alone, Function<FoundEntry, Optional<Optional<T>>> told)
            throws IOException {
        WaitingLookup mine = new WaitingLookup(path, new CompletableFuture<>());
        Optional<FoundEntry> found = begin(mine) ? Optional.empty() : await(mine);
        if (found.isEmpty()) {
            try {
                List<WaitingLookup> others = take();
                if (others.isEmpty()) {
                    return alone.ask();
                }
                found = Optional.of(send(mine, others));
            } finally {
                end();
            }
        }
        Optional<Optional<T>> answer = found.get().denied().isPresent() ? Optional.empty() : told.apply(found.get());
        // The master's own exception says why a lookup is denied.
        return answer.isPresent() ? answer.get() : alone.ask();
    }

    /** Takes the right to send a request; false: the lookup waits. */
    private synchronized boolean begin(WaitingLookup mine) {
        if (requests < MOST_REQUESTS) {
            requests++;
            return true;
        }
        waiting.add(mine);
        return false;
    }

    /** Returns the number of lookups that wait for a request. */
    synchronized int waitingCalls() {
        return waiting.size();
    }

    /** Takes waiting lookups. */
    private synchronized List<WaitingLookup> take() {
        List<WaitingLookup> taken = new ArrayList<>();
        while (!waiting.isEmpty() && taken.size() < MOST_AT_ONCE) {
            taken.add(waiting.remove());
        }
        return taken;
    }

    /** Hands the right to send a request to the first waiting lookup, if there is one. */
    private void end() {
        WaitingLookup next;
        synchronized (this) {
            next = waiting.poll();
            requests -= next == null ? 1 : 0;
        }
        if (next != null) {
            next.answer().complete(Optional.empty());
        }
    }

    /** Waits for an answer; empty: this thread has to send the next request. */
    private static Optional<FoundEntry> await(WaitingLookup mine) throws IOException {
        try {
            return mine.answer().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UnavailableException away) {
                throw new UnavailableException(String.valueOf(away.getMessage()), away);
            }
            throw new IOException("a lookup that shared a request failed", e.getCause());
        }
    }

    /** Sends one request for this lookup and others, and answers the others. */
    private FoundEntry send(WaitingLookup mine, List<WaitingLookup> others) throws IOException {
        List<FilePath> paths = new ArrayList<>(List.of(mine.path()));
        others.forEach(each -> paths.add(each.path()));
        try {
            List<FoundEntry> found = bdt.find(paths);
            for (int i = 0; i < others.size(); i++) {
                note(others.get(i).path(), found.get(i + 1));
                others.get(i).answer().complete(Optional.of(found.get(i + 1)));
            }
            note(mine.path(), found.get(0));
            return found.get(0);
        } catch (UnavailableException | Error e) {
            others.forEach(each -> each.answer().completeExceptionally(e));
            throw e;
        } catch (IOException | RuntimeException e) {
            // One of the paths may be the reason: each lookup gets an answer of its own.
            others.forEach(each -> each.answer().complete(Optional.of(UNTOLD)));
            return UNTOLD;
        }
    }

    private void note(FilePath path, FoundEntry found) {
        boolean isFragmented = found.entry()
                .flatMap(ListedEntry::placement)
                .filter(each -> each instanceof Placement.Mapped mapped
                        && mapped.pieces().size() > MANY_PIECES)
                .isPresent();
        if (isFragmented) {
            fragmented.put(path, path);
        } else if (fragmented.size() > 0) {
            fragmented.invalidate(path);
        }
    }
}
