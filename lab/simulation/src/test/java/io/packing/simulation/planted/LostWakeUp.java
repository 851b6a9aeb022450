// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.planted;

/** A reader that looks for a value outside of the lock in which it waits: the writer's notice may come between. */
public final class LostWakeUp implements Runnable {
    private final Object lock = new Object();
    private volatile boolean there;

    @SuppressWarnings("WaitNotInLoop") // A part of the defect.
    private void await() throws InterruptedException {
        if (!there) {
            synchronized (lock) {
                lock.wait();
            }
        }
    }

    private void tell() {
        there = true;
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    @Override
    public void run() {
        Thread writer = new Thread(this::tell, "writer");
        writer.start();
        try {
            await();
            writer.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
