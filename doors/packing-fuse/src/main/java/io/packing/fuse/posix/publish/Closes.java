// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import io.packing.fuse.DeferredAnswer;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.node.LockedNodes;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The closes of files. It publishes small new files together. With few messages under way a closing thread sends one.
 * Otherwise it leaves its file to the sending threads, which send the waiting files after their answers. No thread
 * waits for a message that it did not send.
 *
 * <p>A message waits for a moment until it has about half of the files under writing ({@link PublishWait}). A file that
 * no other one is written beside does not wait. Thread-safe.
 */
public final class Closes {
    /** The most messages under way: during one the next is made. */
    private static final int MOST_MESSAGES = 2;

    private static final int MOST_AT_ONCE = 128;

    private final Publisher publisher;
    private final LockedNodes locks;
    private final BatchPublisher together;
    private final Optional<WriteBehind> behind;
    private final Deque<ClosedFile> waiting = new ArrayDeque<>();
    private final PublishWait gathering;
    private int messages;
    /** True while a message waits for more files. */
    private boolean isGathering;

    private Closes(OpenMount open, Publisher publisher) {
        this.publisher = publisher;
        this.locks = open.locks;
        this.together = new BatchPublisher(open, publisher);
        this.gathering = new PublishWait(open.nodes.pending::count, open.nanoTime);
        this.behind =
                open.settings.writesBehind() ? Optional.of(new WriteBehind(publisher, together)) : Optional.empty();
    }

    /** Starts the closes of a mount; with write-behind, its threads end with the process. */
    public static Closes start(OpenMount open, Publisher publisher) {
        Closes closes = new Closes(open, publisher);
        closes.behind.ifPresent(WriteBehind::start);
        return closes;
    }

    /** Publishes a closed file, and answers the close when that is done. */
    public void flush(Node node, DeferredAnswer answer) throws FuseException, IOException {
        boolean waits = locks.locked(node, () -> {
            boolean isTaken = behind.isPresent() && behind.get().take(node);
            if (!isTaken && publisher.isSmallAndNew(node)) {
                return true;
            }
            if (!isTaken && node.isDirty()) {
                publisher.publish(node);
                behind.ifPresent(WriteBehind::published);
            }
            return false;
        });
        if (!waits) {
            answer.done();
            return;
        }
        publish(new ClosedFile(
                node,
                () -> {
                    behind.ifPresent(WriteBehind::published);
                    answer.done();
                },
                answer::failed));
    }

    private void publish(ClosedFile file) {
        synchronized (this) {
            waiting.add(file);
            if (isGathering) {
                if (gathering.isEnough(waiting.size())) {
                    notifyAll();
                }
                return;
            }
        }
        while (begin()) {
            List<ClosedFile> alone;
            try {
                alone = send();
            } finally {
                // The next close sends the files that wait by now.
                end();
            }
            // They may take long, and no message waits for them.
            alone.forEach(together::publishAlone);
        }
    }

    /** Sends one message after the other until no file waits, or some files must be published alone. */
    private List<ClosedFile> send() {
        List<ClosedFile> alone = List.of();
        for (boolean goes = true; goes; ) {
            List<ClosedFile> group = next();
            if (!group.isEmpty()) {
                alone = together.publish(group);
            }
            goes = !group.isEmpty() && alone.isEmpty();
        }
        return alone;
    }

    private synchronized boolean begin() {
        boolean isNeeded = !waiting.isEmpty() && !isGathering && messages < MOST_MESSAGES;
        messages += isNeeded ? 1 : 0;
        return isNeeded;
    }

    private synchronized void end() {
        messages--;
    }

    /** Takes the waiting files, after a moment. */
    private synchronized List<ClosedFile> next() {
        List<ClosedFile> group = new ArrayList<>();
        if (!waiting.isEmpty() && !isGathering) {
            gather();
            while (!waiting.isEmpty() && group.size() < MOST_AT_ONCE) {
                group.add(waiting.remove());
            }
        }
        return group;
    }

    private synchronized void gather() {
        if (!gathering.begin(waiting.size())) {
            return;
        }
        isGathering = true;
        try {
            for (long left = gathering.left();
                    left > 0 && !gathering.isEnough(waiting.size());
                    left = gathering.left()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isGathering = false;
        }
        gathering.end(waiting.size());
    }
}
