// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the work of several owners by a few threads: the work of one owner in its order and one piece at a time, and the owners in
 * turn. So an owner whose work takes long holds one thread, and no other owner. Thread-safe.
 */
final class FairQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FairQueue.class);

    /** Waiting pieces by owner; first the owner whose turn it is. Owners with a running piece are not in it. */
    private final Map<String, Queue<Runnable>> turns = new LinkedHashMap<>();
    /** Waiting pieces of owners with a running piece. */
    private final Map<String, Queue<Runnable>> running = new LinkedHashMap<>();

    private final int most;
    private final Thread[] threads;
    private int waiting;
    private boolean closed;

    /**
     * Makes a queue whose threads are idle.
     *
     * @param count of threads
     * @param most pieces of all owners, those that run included
     */
    FairQueue(ThreadFactory factory, int count, int most) {
        this.most = most;
        this.threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = factory.newThread(this::work);
            threads[i].start();
        }
    }

    /** Adds a piece; returns false if the queue is closed, or the owner's share of it is full. */
    synchronized boolean offer(String owner, Runnable piece) {
        Queue<Runnable> own = running.get(owner);
        if (own == null) {
            own = turns.computeIfAbsent(owner, unused -> new ArrayDeque<>());
        }
        // So half of the queue is free for the others, however much one owner brings.
        if (closed || own.size() >= most - waiting) {
            if (own.isEmpty()) {
                turns.remove(owner);
            }
            return false;
        }
        own.add(piece);
        waiting++;
        notifyAll();
        return true;
    }

    private record Turn(String owner, Runnable piece) {}

    private synchronized Turn take() throws InterruptedException {
        while (turns.isEmpty()) {
            wait();
        }
        Iterator<Map.Entry<String, Queue<Runnable>>> first = turns.entrySet().iterator();
        Map.Entry<String, Queue<Runnable>> next = first.next();
        String owner = next.getKey();
        Queue<Runnable> own = next.getValue();
        first.remove();
        running.put(owner, own);
        return new Turn(owner, own.remove());
    }

    private synchronized void done(String owner) {
        Queue<Runnable> left = running.remove(owner);
        if (left != null && !left.isEmpty()) {
            turns.put(owner, left);
        }
        waiting--;
        notifyAll();
    }

    private void work() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Turn turn = take();
                try {
                    turn.piece().run();
                } catch (RuntimeException | Error e) {
                    // A piece reports its own failures. This one is a bug, and the pieces behind it must not wait for
                    // ever.
                    LOG.error("a piece of work of '{}' died; the next one goes on", turn.owner(), e);
                } finally {
                    done(turn.owner());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Pieces that wait or run. */
    synchronized int waiting() {
        return waiting;
    }

    /** Waits until at most so many pieces wait or run. */
    synchronized void await(int left) throws InterruptedException {
        while (waiting > left && !closed) {
            wait();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (Thread each : threads) {
            each.interrupt();
        }
        notifyAll();
    }
}
