// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.FuseException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The lookups of names that the kernel trusts no longer. When programs look up many, one request asks for the next
 * files, too: programs go through files in the order in which they came to know them, which is that of the nodes'
 * numbers. Thread-safe.
 */
public final class LookAhead {
    private static final int AHEAD = 64;
    /** The numbers after a node among which the next files are. */
    private static final int MOST_SEARCHED = 512;
    /** The lookups within a second from which on the next files are asked for. */
    private static final int MANY = 16;

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final OpenMount open;
    private final BdtLookups bdt;
    private long windowStart;
    private int lookups;

    LookAhead(OpenMount open, BdtLookups bdt) {
        this.open = open;
        this.bdt = bdt;
    }

    /**
     * A known file whose name the kernel may look up next.
     *
     * @param version that this server knows; an answer does not count if this or the attributes change meanwhile
     */
    private record NextFile(Node node, FilePath path, Optional<FileVersion> version, FileAttributes attributes) {}

    /** Returns the attributes of a known node's path; waits for an answer that is on its way. */
    public Optional<FileStatus> stat(Node node, FilePath path) throws IOException {
        List<NextFile> next = isBusy() ? claim(node) : List.of();
        if (next.isEmpty()) {
            return open.stat(path);
        }
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        next.forEach(each -> each.node().looksAhead = answered);
        try {
            return ask(path, next);
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Another file's rows may be the reason.
            return open.stat(path);
        } finally {
            next.forEach(each -> each.node().looksAhead = null);
            answered.complete(true);
        }
    }

    /** Waits for the answer of another lookup that has asked for a node, too. */
    public static void awaitAnswer(Node node) {
        CompletableFuture<Boolean> answered = node.looksAhead;
        if (answered != null) {
            Boolean unused = answered.join();
        }
    }

    private synchronized boolean isBusy() {
        long now = open.nanoTime.getAsLong();
        if (now - windowStart > WINDOW_NANOS) {
            windowStart = now;
            // A load that goes on is one from the begin of the next second, too.
            lookups = lookups >= MANY ? MANY / 2 : 0;
        }
        lookups++;
        return lookups >= MANY;
    }

    /** Returns the next files after a node of which this server knows nothing newer. */
    private List<NextFile> claim(Node node) {
        List<NextFile> next = new ArrayList<>();
        for (long number = node.number + 1; number <= node.number + MOST_SEARCHED && next.size() < AHEAD; number++) {
            open.nodes.find(number).flatMap(this::claimed).ifPresent(next::add);
        }
        return next;
    }

    private Optional<NextFile> claimed(Node node) {
        if (node.isDirectory || node.looksAhead != null || !node.lock.tryLock()) {
            return Optional.empty();
        }
        try {
            return node.lookups.get() > 0
                            && open.answers.isOnlyInTable(node)
                            && !node.isMapped
                            && !open.answers.isFresh(node)
                    ? Optional.of(new NextFile(node, open.nodes.path(node), node.version, node.attributes))
                    : Optional.empty();
        } catch (FuseException e) {
            return Optional.empty();
        } finally {
            node.lock.unlock();
        }
    }

    private Optional<FileStatus> ask(FilePath path, List<NextFile> next) throws IOException {
        List<FilePath> paths = new ArrayList<>(List.of(path));
        next.forEach(each -> paths.add(each.path()));
        List<FoundEntry> found = bdt.find(paths);
        for (int i = 0; i < next.size(); i++) {
            learn(next.get(i), found.get(i + 1).entry());
        }
        return found.get(0).denied().isPresent()
                ? open.stat(path)
                : found.get(0).entry().map(ListedEntry::status);
    }

    /** Learns an answer, unless this server has changed the file since. */
    private void learn(NextFile next, Optional<ListedEntry> entry) {
        Node node = next.node();
        if (entry.isEmpty() || !node.lock.tryLock()) {
            return;
        }
        try {
            boolean isAsBefore = open.answers.isOnlyInTable(node)
                    && node.version.equals(next.version())
                    && node.attributes.equals(next.attributes())
                    && open.nodes.path(node).equals(next.path());
            if (isAsBefore && open.isOf(node, entry.get().status())) {
                open.learn(node, entry.get().status());
            }
        } catch (FuseException e) {
            // The next lookup of the name asks again.
        } finally {
            node.lock.unlock();
        }
    }
}
