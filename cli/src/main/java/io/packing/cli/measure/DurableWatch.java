// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.measure;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A watch over closed files until the master says that the store has them. Files that are deleted or replaced before do not count, as in
 * the simulation. Thread-safe; one thread steps it.
 */
final class DurableWatch {
    private static final int AT_ONCE = 250;
    private static final Set<FileStatus.State> DURABLE = Set.of(FileStatus.State.PACKED, FileStatus.State.MAPPED);

    private static final class Closed {
        private FilePath path;
        private final long nanos;
        private boolean gone;

        private Closed(FilePath path, long nanos) {
            this.path = path;
            this.nanos = nanos;
        }
    }

    private final Bdt bdt;
    private final long largeFrom;
    private final LongSupplier nanoTime;
    private final Map<FilePath, Closed> waiting = new HashMap<>();
    /** Files that share blobs, in the order of their closes; they become durable nearly in it. */
    private final Deque<Closed> small = new ArrayDeque<>();

    private final Deque<Closed> large = new ArrayDeque<>();
    private long files;
    private double seconds;
    private double most;

    /** @param largeFrom size from which a file has blobs of its own */
    DurableWatch(Bdt bdt, long largeFrom, LongSupplier nanoTime) {
        this.bdt = bdt;
        this.largeFrom = largeFrom;
        this.nanoTime = nanoTime;
    }

    /** Notes a file whose close returned just now. */
    synchronized void closed(FilePath path, long size) {
        gone(path);
        Closed file = new Closed(path, nanoTime.getAsLong());
        waiting.put(path, file);
        (size >= largeFrom ? large : small).add(file);
    }

    /** Notes that a path has no file any more. */
    synchronized void gone(FilePath path) {
        Closed file = waiting.remove(path);
        if (file != null) {
            file.gone = true;
        }
    }

    /** Notes a rename of a file, or of a directory. */
    synchronized void renamed(FilePath from, FilePath to) {
        gone(to);
        Map<FilePath, FilePath> moved = new HashMap<>();
        for (FilePath path : waiting.keySet()) {
            if (path.equals(from) || path.value().startsWith(from.value() + "/")) {
                moved.put(
                        path,
                        new FilePath(
                                to.value() + path.value().substring(from.value().length())));
            }
        }
        moved.forEach((path, name) -> {
            Closed file = waiting.remove(path);
            if (file != null) {
                file.path = name;
                waiting.put(name, file);
            }
        });
    }

    /** Notes that a directory and all below it is deleted. */
    synchronized void goneBelow(FilePath directory) {
        List<FilePath> below = waiting.keySet().stream()
                .filter(path -> path.value().startsWith(directory.value() + "/"))
                .toList();
        below.forEach(this::gone);
    }

    /** Asks the master once more; returns whether files still wait. */
    boolean step() throws IOException {
        long now = nanoTime.getAsLong();
        step(small, now);
        step(large, now);
        synchronized (this) {
            return !waiting.isEmpty();
        }
    }

    private void step(Deque<Closed> queue, long now) throws IOException {
        boolean found = true;
        while (found) {
            List<Closed> first = new ArrayList<>();
            List<FilePath> paths = new ArrayList<>();
            synchronized (this) {
                queue.removeIf(file -> file.gone);
                for (Closed file : queue) {
                    if (first.size() == AT_ONCE || file.nanos > now) {
                        break;
                    }
                    first.add(file);
                    paths.add(file.path);
                }
            }
            List<FoundEntry> entries = paths.isEmpty() ? List.of() : bdt.find(paths);
            found = take(first, paths, entries, now);
        }
    }

    private synchronized boolean take(List<Closed> first, List<FilePath> paths, List<FoundEntry> entries, long now) {
        boolean found = false;
        for (int i = 0; i < entries.size(); i++) {
            Closed file = first.get(i);
            Optional<FileStatus.State> state =
                    entries.get(i).entry().map(entry -> entry.status().state());
            // A name that changed meanwhile is asked for again.
            if (!file.gone
                    && file.path.equals(paths.get(i))
                    && state.filter(DURABLE::contains).isPresent()) {
                file.gone = true;
                waiting.remove(file.path, file);
                files++;
                seconds += (now - file.nanos) / 1e9;
                most = Math.max(most, (now - file.nanos) / 1e9);
                found = true;
            }
        }
        return found;
    }

    /** Returns the mean time from a file's close until it was durable; not a number without files. */
    synchronized double meanSeconds() {
        return files == 0 ? Double.NaN : seconds / files;
    }

    /** Returns the longest such time. */
    synchronized double mostSeconds() {
        return most;
    }

    /** Returns the number of files that are closed and not durable. */
    synchronized int waiting() {
        return waiting.size();
    }
}
