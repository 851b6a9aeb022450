package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The mounts that are being opened: each by one thread at a time, and none after the end. Thread-safe. */
final class Openings {
    private static final int MOST = 1 << 20;

    private final Map<String, Object> mounts = new ConcurrentHashMap<>();
    private final Semaphore permits = new Semaphore(MOST);
    private final Set<Thread> threads = new HashSet<>();
    private boolean ended;

    /** Opens a mount, or does something else that must not happen meanwhile. */
    interface Opening<T> {
        T run() throws IOException;
    }

    /** Runs an opening; waits while the same mount is being opened by another thread. */
    <T> T one(String mount, Opening<T> opening) throws IOException {
        synchronized (threads) {
            if (ended || !permits.tryAcquire()) {
                throw new UnavailableException("the master is stopping");
            }
            threads.add(Thread.currentThread());
        }
        try {
            synchronized (mounts.computeIfAbsent(mount, id -> new Object())) {
                return opening.run();
            }
        } finally {
            synchronized (threads) {
                threads.remove(Thread.currentThread());
            }
            permits.release();
        }
    }

    /** Lets no opening begin any more and breaks those off that are under way; returns whether they ended in time. */
    boolean end(long millis) {
        synchronized (threads) {
            ended = true;
            threads.forEach(Thread::interrupt);
        }
        try {
            return permits.tryAcquire(MOST, millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
