package io.packing.posix;

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
 * Publishes small new files after their closes were answered, many at a time, for mounts that ask for it. Until then their bytes are in
 * drafts, which outlive the server; an {@code fsync} publishes its file itself, and waits. Thread-safe.
 */
final class WriteBehind {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);
    /** While one batch is on its way the next one is made. */
    private static final int THREADS = 2;

    private static final int MOST_AT_ONCE = 128;
    private static final long SOON_MILLIS = 1;
    /** Closes beyond that wait for their files themselves. */
    private static final int MOST_WAITING = 1_024;

    private final Publisher publisher;
    private final GroupPublisher together;
    private final Object gathering = new Object();
    private final BlockingQueue<Node> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    /** Files that could not be published once: a worker that stops breaks off what is on its way, and waiting for it comes then. */
    private final Set<Node> again = ConcurrentHashMap.newKeySet();
    /** Whether the file that was tried last could not be published, though it was tried twice. */
    private volatile boolean isFailing;

    WriteBehind(Publisher publisher, GroupPublisher together) {
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
     * Takes a file to publish it soon; false: whoever closes it must do so. A file that must not take the place of another one is not taken,
     * since its close says whether it did. Nor is any as long as files cannot be published: programs have to hear of it. Under the lock of the node.
     */
    boolean take(Node node) {
        if (isFailing || node.exclusive || !publisher.isSmallAndNew(node)) {
            return false;
        }
        node.isBehind = node.isBehind || waiting.offer(node);
        return node.isBehind;
    }

    /** Whoever closed a file has published it. */
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

    private Closing closing(Node node) {
        return new Closing(
                node,
                () -> {
                    again.remove(node);
                    published();
                },
                why -> failed(node, why));
    }

    /** Nobody waits for these files: while others come soon after each other, they go together. */
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
            LOG.info("node {}, {}: what was closed is tried again: {}", node.number, node.name, why);
            return;
        }
        again.remove(node);
        isFailing = true;
        LOG.warn(
                "node {}, {}: what was closed could not be published, and is tried again: {}",
                node.number,
                node.name,
                why);
    }
}
