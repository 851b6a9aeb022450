// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import io.packing.blob.FileVersion;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.LockedNodes;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.worker.api.NewFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A publisher of several files, which sends the small new ones in one message. Thread-safe. */
final class BatchPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(BatchPublisher.class);

    private final OpenMount open;
    private final Publisher publisher;
    private final LockedNodes locks;

    BatchPublisher(OpenMount open, Publisher publisher) {
        this.open = open;
        this.publisher = publisher;
        this.locks = open.locks;
    }

    private record Started(ClosedFile closing, NewFile file) {}

    /**
     * Publishes some files; reports the result of each before this returns, or throws an error.
     *
     * @return the files that a program uses meanwhile, or that have grown: {@link #publishAlone} is for them
     */
    List<ClosedFile> publish(List<ClosedFile> batch) {
        try {
            return publishAsTheyAre(batch);
        } catch (RuntimeException e) {
            LOG.error("closed files could not be published, and are tried again", e);
            batch.forEach(each -> each.failed(e));
            return List.of();
        } catch (Error e) {
            batch.forEach(each -> each.failed(e));
            throw e;
        }
    }

    private List<ClosedFile> publishAsTheyAre(List<ClosedFile> batch) {
        List<ClosedFile> alone = new ArrayList<>();
        open.tree.readLock().lock();
        try {
            List<Started> started = new ArrayList<>();
            for (ClosedFile each : batch) {
                Node node = each.node;
                if (node.lock.isHeldByCurrentThread() || !node.lock.tryLock()) {
                    // A program uses the file, or it was closed twice.
                    alone.add(each);
                } else if (node.isDirty() && !node.unlinked && !publisher.isSmallAndNew(node)) {
                    // A program opened it again, and it has grown.
                    node.lock.unlock();
                    alone.add(each);
                } else {
                    begin(each).ifPresent(file -> started.add(new Started(each, file)));
                }
            }
            publishTogether(started);
        } finally {
            open.tree.readLock().unlock();
        }
        return alone;
    }

    /** Begins with a file; it stays locked on its way. */
    private Optional<NewFile> begin(ClosedFile closing) {
        Optional<NewFile> file = Optional.empty();
        Optional<Throwable> failure = Optional.empty();
        try {
            if (publisher.isSmallAndNew(closing.node)) {
                file = Optional.of(publisher.newFile(closing.node));
            }
        } catch (FuseException | IOException | RuntimeException e) {
            failure = Optional.of(e);
        }
        if (file.isEmpty()) {
            ended(closing, failure);
        }
        return file;
    }

    private void publishTogether(List<Started> started) {
        if (started.isEmpty()) {
            return;
        }
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
        Optional<Throwable> failure = Optional.empty();
        try {
            publisher.published(started.closing().node, version.join());
        } catch (CompletionException e) {
            failure = Optional.of(e.getCause() == null ? e : e.getCause());
        } catch (FuseException | IOException | RuntimeException e) {
            failure = Optional.of(e);
        }
        ended(started.closing(), failure);
    }

    /** Ends the publication of a file. Needs its lock, and releases it before the report. */
    private void ended(ClosedFile closing, Optional<Throwable> failure) {
        Node node = closing.node;
        node.isBehind = false;
        try {
            if (node.opens == 0 && !node.isDirty()) {
                locks.dropDraft(node);
            }
        } catch (IOException e) {
            LOG.warn("the draft of node {} could not be removed", node.number, e);
        } finally {
            node.lock.unlock();
        }
        tell(closing, failure);
    }

    /** Publishes alone a file whose close was answered, or waits. */
    private void publishClosed(Node node) throws FuseException, IOException {
        Node unused = locks.locked(node, () -> {
            node.isBehind = false;
            publisher.publish(node);
            if (node.opens == 0) {
                locks.dropDraft(node);
            }
            return node;
        });
    }

    /** Publishes a file alone; waits for calls that use it. */
    void publishAlone(ClosedFile closing) {
        Optional<Throwable> failure = Optional.empty();
        try {
            publishClosed(closing.node);
        } catch (FuseException | IOException | RuntimeException e) {
            failure = Optional.of(e);
        }
        tell(closing, failure);
    }

    private static void tell(ClosedFile closing, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            closing.failed(numbered(failure.get()));
        } else {
            closing.published();
        }
    }

    /** Returns a more precise exception than one for EIO, if one exists. */
    private static Throwable numbered(Throwable why) {
        try {
            return why instanceof IOException e ? ErrnoMapping.of(e) : why;
        } catch (IOException e) {
            return e;
        }
    }
}
