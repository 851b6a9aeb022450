// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.planted;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads that take a monitor and a lock in two orders. */
public final class TwoLocks implements Runnable {
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();

    @SuppressWarnings("LockNotBeforeTry") // Nothing comes between.
    private void monitorFirst() {
        synchronized (monitor) {
            lock.lock();
            lock.unlock();
        }
    }

    private void lockFirst() {
        lock.lock();
        try {
            synchronized (monitor) {
                LockSupport.parkNanos(1);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        Thread other = new Thread(this::lockFirst, "other");
        other.start();
        monitorFirst();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
