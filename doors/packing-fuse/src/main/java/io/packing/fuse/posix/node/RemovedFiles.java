// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.posix.draft.StateJournal;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import io.packing.fuse.posix.node.NodeNames.NodeKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that programs have removed and that the table still has, of mounts that write behind. They are deleted many
 * at a time. Lookups and listings of the mount do not show them, and a call that needs the name again waits until the
 * table has lost it. The journal has them, so the next server goes on. Thread-safe.
 */
public final class RemovedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RemovedFiles.class);
    private static final int MOST_AT_ONCE = 256;
    /** The most files in the queue; further removals delete their files themselves. */
    private static final int MOST_WAITING = 8_192;

    private static final long SOON_NANOS = 1_000_000;
    private static final long PAUSE_MILLIS = 1_000;

    /** A file on its way out of the table. */
    private record RemovedFile(long node, NodeKey name, FilePath path, FileVersion version) {}

    private final StateJournal journal;
    private final LongSupplier nanoTime;
    private final Map<NodeKey, RemovedFile> waiting = new LinkedHashMap<>();
    private volatile boolean isEmpty = true;
    private boolean isTaking;
    private boolean isFailing;
    /** The calls that wait for a deletion. */
    private int waitingCalls;

    RemovedFiles(StateJournal journal, LongSupplier nanoTime) {
        this.journal = journal;
        this.nanoTime = nanoTime;
    }

    /** Starts the deletions, by a thread that ends with the process. */
    void start(Bdt bdt) {
        synchronized (this) {
            isTaking = true;
        }
        Thread thread = new Thread(() -> run(bdt), "removals");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Takes a file to delete it soon; on false the caller must delete it. As long as deletions fail it refuses all,
     * since programs have to learn of that. Needs the lock of the node.
     */
    public synchronized boolean take(Node node, Node parent, String name, FilePath path) {
        boolean isTaken = isTaking
                && !isFailing
                && waiting.size() < MOST_WAITING
                && node.version.isPresent()
                && !node.extras.isLinked();
        if (isTaken) {
            RemovedFile file = new RemovedFile(node.number, new NodeKey(parent.number, name), path, node.version.get());
            describe(file, journal);
            add(file);
        }
        return isTaken;
    }

    private void add(RemovedFile file) {
        waiting.put(file.name(), file);
        isEmpty = false;
        notifyAll();
    }

    private static void describe(RemovedFile file, StateJournal to) {
        to.add(
                Kind.REMOVING,
                file.node(),
                file.name().name() + '\0' + file.path().value(),
                file.name().parent(),
                file.version().id(),
                file.version().generation());
    }

    /** Records all of them. */
    synchronized void describe(StateJournal to) {
        waiting.values().forEach(file -> describe(file, to));
    }

    /** Takes over a removal of an earlier server. */
    synchronized void restore(long node, List<Long> numbers, String text) {
        int nul = text.indexOf('\0');
        add(new RemovedFile(
                node,
                new NodeKey(numbers.get(0), text.substring(0, nul)),
                new FilePath(text.substring(nul + 1)),
                new FileVersion(numbers.get(1), numbers.get(2))));
    }

    /** Repeats the end of a removal in an earlier server. */
    synchronized void restoreDone(long node) {
        waiting.values().removeIf(file -> file.node() == node);
        isEmpty = waiting.isEmpty();
    }

    /** Returns whether a name was removed and the table still has it. */
    public boolean has(Node parent, String name) {
        return !isEmpty && isWaiting(new NodeKey(parent.number, name));
    }

    private synchronized boolean isWaiting(NodeKey name) {
        return waiting.containsKey(name);
    }

    /** Returns the removed names of a directory that the table still has. */
    public synchronized Set<String> in(Node directory) {
        return waiting.keySet().stream()
                .filter(name -> name.parent() == directory.number)
                .map(NodeKey::name)
                .collect(Collectors.toSet());
    }

    /** Waits until the table has lost a removed name. */
    public void await(Node parent, String name) throws IOException {
        if (has(parent, name)) {
            awaitAll();
        }
    }

    /** Waits until the table has lost all removed names. */
    public void awaitAll() throws IOException {
        if (isEmpty) {
            return;
        }
        synchronized (this) {
            waitingCalls++;
            try {
                notifyAll();
                while (!waiting.isEmpty()) {
                    if (isFailing || !isTaking) {
                        throw new IOException("%d removed files are not deleted yet".formatted(waiting.size()));
                    }
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted before removed files were deleted", e);
            } finally {
                waitingCalls--;
            }
        }
    }

    private void run(Bdt bdt) {
        try {
            while (true) {
                List<RemovedFile> some = gather();
                try {
                    delete(bdt, some);
                    done(some);
                } catch (IOException | RuntimeException e) {
                    failed(some, e);
                    pause();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits before another try, whatever comes meanwhile. */
    private synchronized void pause() throws InterruptedException {
        long end = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        for (long left = end - nanoTime.getAsLong(); left > 0; left = end - nanoTime.getAsLong()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Waits for removals; those that come within a moment go together. */
    private synchronized List<RemovedFile> gather() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        long end = nanoTime.getAsLong() + SOON_NANOS;
        for (long left = SOON_NANOS;
                left > 0 && waitingCalls == 0 && waiting.size() < MOST_AT_ONCE;
                left = end - nanoTime.getAsLong()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return waiting.values().stream().limit(MOST_AT_ONCE).toList();
    }

    private static void delete(Bdt bdt, List<RemovedFile> some) throws IOException {
        List<Precondition> same = new ArrayList<>();
        List<Operation> deletes = new ArrayList<>();
        for (RemovedFile file : some) {
            same.add(new Precondition.SameVersion(file.path(), file.version()));
            deletes.add(new Operation.Delete(file.path(), false));
        }
        if (bdt.apply(new OperationVector(same, deletes)) instanceof VectorResult.Refused) {
            for (RemovedFile file : some) {
                deleteAlone(bdt, file);
            }
        }
    }

    /**
     * Deletes a file that no other client has changed since. A change is later than the removal, as far as this mount
     * knows, so the changed file stays.
     */
    private static void deleteAlone(Bdt bdt, RemovedFile file) throws IOException {
        VectorResult result = bdt.apply(new OperationVector(
                List.of(new Precondition.SameVersion(file.path(), file.version())),
                List.of(new Operation.Delete(file.path(), false))));
        if (result instanceof VectorResult.Refused refused) {
            if (refused.kind() == VectorResult.Kind.OPERATION && refused.reason() != Outcome.NOT_FOUND) {
                throw new IOException("%s cannot be deleted: %s".formatted(file.path(), refused.reason()));
            }
            LOG.debug("{} has another version by now, or none", file.path());
        }
    }

    private synchronized void done(List<RemovedFile> some) {
        isFailing = false;
        for (RemovedFile file : some) {
            journal.add(Kind.REMOVED, file.node(), "");
            waiting.remove(file.name(), file);
        }
        isEmpty = waiting.isEmpty();
        notifyAll();
    }

    private synchronized void failed(List<RemovedFile> some, Exception why) {
        isFailing = true;
        LOG.warn("{} removed files could not be deleted, and are tried again: {}", some.size(), why.toString());
        notifyAll();
    }
}
