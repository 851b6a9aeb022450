// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import io.packing.fuse.posix.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher of small new files after the answers to their closes, many at a time, for mounts that ask for it. Until then
 * their bytes are in drafts, which outlive the server; an {@code fsync} publishes its file itself, and waits.
 * Thread-safe.
 */
final class WriteBehind {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);
    /** The threads: while one batch is on its way the next one is made. */
    private static final int THREADS = 2;

    private static final int MOST_AT_ONCE = 128;
    private static final long SOON_MILLIS = 1;
    /** The most files in the queue; further closes publish their files themselves. */
    private static final int MOST_WAITING = 1_024;

    private final Publisher publisher;
    private final BatchPublisher together;
    private final Object gathering = new Object();
    private final BlockingQueue<Node> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    /**
     * The files that failed once: a stopping worker breaks off files on their way, and their second try waits for
     * another one.
     */
    private final Set<Node> again = ConcurrentHashMap.newKeySet();
    /** True if the file of the last try failed twice. */
    private volatile boolean isFailing;

    WriteBehind(Publisher publisher, BatchPublisher together) {
        this.publisher = publisher;
        this.together = together;
    }

    /** Starts the threads, which end with the process. */
    void start() {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::run, "write-behind-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Takes a file to publish it soon; on false the closing thread must do so. It refuses a file that must not replace
     * another one, since the close has to report that. It refuses all files as long as the publication fails, since
     * programs have to learn of that. Needs the lock of the node.
     */
    boolean take(Node node) {
        if (isFailing || node.exclusive || !publisher.isSmallAndNew(node)) {
            return false;
        }
        node.isBehind = node.isBehind || waiting.offer(node);
        return node.isBehind;
    }

    /** Notes that a closing thread has published its file. */
    void published() {
        isFailing = false;
    }

    private void run() {
        try {
            while (true) {
                together.publish(gather().stream().map(this::closing).toList()).forEach(together::publishAlone);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ClosedFile closing(Node node) {
        return new ClosedFile(
                node,
                () -> {
                    again.remove(node);
                    published();
                },
                why -> failed(node, why));
    }

    /** Gathers files that no program waits for: those that come soon after each other go together. */
    private List<Node> gather() throws InterruptedException {
        synchronized (gathering) {
            List<Node> nodes = new ArrayList<>(List.of(waiting.take()));
            for (Node next = next(); next != null; next = nodes.size() < MOST_AT_ONCE ? next() : null) {
                nodes.add(next);
            }
            return nodes;
        }
    }

    private @Nullable Node next() throws InterruptedException {
        return waiting.poll(SOON_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void failed(Node node, Throwable why) {
        if (again.add(node) && waiting.offer(node)) {
            LOG.info("node {}, {}: the closed file is tried again: {}", node.number, node.name, why);
            return;
        }
        again.remove(node);
        isFailing = true;
        LOG.warn(
                "node {}, {}: the closed file could not be published, and is tried again: {}",
                node.number,
                node.name,
                why);
    }
}
