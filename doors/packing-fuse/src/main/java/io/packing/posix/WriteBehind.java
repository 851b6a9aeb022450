package io.packing.posix;

import io.packing.blob.FileVersion;
import io.packing.fuse.FuseException;
import io.packing.worker.api.NewFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    private final OpenMount open;
    private final Publisher publisher;
    private final FileCalls files;
    private final Object gathering = new Object();
    private final BlockingQueue<Node> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

    WriteBehind(OpenMount open, Publisher publisher, FileCalls files) {
        this.open = open;
        this.publisher = publisher;
        this.files = files;
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
     * since its close says whether it did. Under the lock of the node.
     */
    boolean take(Node node) {
        if (node.exclusive || !publisher.isSmallAndNew(node)) {
            return false;
        }
        node.isBehind = node.isBehind || waiting.offer(node);
        return node.isBehind;
    }

    private void run() {
        try {
            while (true) {
                List<Node> nodes = gather();
                try {
                    publish(nodes);
                } catch (RuntimeException e) {
                    LOG.error("what was closed could not be published, and is tried again", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    private record Started(Node node, NewFile file) {}

    /** Publishes some files. Whoever works with one of them meanwhile is not waited for. */
    void publish(List<Node> nodes) {
        List<Node> busy = new ArrayList<>();
        open.tree.readLock().lock();
        try {
            List<Started> started = new ArrayList<>();
            for (Node node : nodes) {
                if (!node.lock.tryLock()) {
                    busy.add(node);
                } else if (node.isDirty() && !node.unlinked && !publisher.isSmallAndNew(node)) {
                    // It was opened again, and has grown.
                    node.lock.unlock();
                    busy.add(node);
                } else {
                    begin(node).ifPresent(file -> started.add(new Started(node, file)));
                }
            }
            publishTogether(started);
        } finally {
            open.tree.readLock().unlock();
        }
        busy.forEach(this::publishAlone);
    }

    /** Begins with a file; its lock is kept as long as it is on its way. */
    private Optional<NewFile> begin(Node node) {
        Optional<NewFile> file = Optional.empty();
        try {
            if (publisher.isSmallAndNew(node)) {
                file = Optional.of(publisher.newFile(node));
            }
        } catch (FuseException | IOException | RuntimeException e) {
            failed(node, e);
        } finally {
            if (file.isEmpty()) {
                ended(node);
            }
        }
        return file;
    }

    private void publishTogether(List<Started> started) {
        List<CompletableFuture<FileVersion>> versions;
        try {
            versions = open.mount.putAll(started.stream().map(Started::file).toList());
        } catch (IOException | RuntimeException e) {
            versions = started.stream()
                    .map(each -> CompletableFuture.<FileVersion>failedFuture(e))
                    .toList();
        }
        for (int i = 0; i < started.size(); i++) {
            finish(started.get(i), versions.get(i));
        }
    }

    private void finish(Started started, CompletableFuture<FileVersion> version) {
        try {
            publisher.published(started.node(), version.join());
        } catch (CompletionException e) {
            failed(started.node(), e.getCause() == null ? e : e.getCause());
        } catch (FuseException | IOException | RuntimeException e) {
            failed(started.node(), e);
        } finally {
            ended(started.node());
        }
    }

    /** The file is one as any other from now on. */
    private void ended(Node node) {
        node.isBehind = false;
        try {
            if (node.opens == 0 && !node.isDirty()) {
                files.dropDraft(node);
            }
        } catch (IOException e) {
            LOG.warn("the draft of node {} could not be removed", node.number, e);
        } finally {
            node.lock.unlock();
        }
    }

    private void publishAlone(Node node) {
        try {
            files.publishBehind(node);
        } catch (FuseException | IOException | RuntimeException e) {
            failed(node, e);
        }
    }

    private static void failed(Node node, Throwable why) {
        LOG.warn(
                "node {}, {}: what was closed could not be published, and is tried again: {}",
                node.number,
                node.name,
                why);
    }
}
