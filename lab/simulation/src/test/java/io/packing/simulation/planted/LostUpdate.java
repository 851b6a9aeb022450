// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.planted;

import java.util.concurrent.CountDownLatch;

/** Two threads that each add to a number without a lock. */
public final class LostUpdate implements Runnable {
    private static final int TIMES = 3;

    private final CountDownLatch ended = new CountDownLatch(2);
    private volatile int sum;

    private void add() {
        for (int i = 0; i < TIMES; i++) {
            int before = sum;
            sum = before + 1;
        }
        ended.countDown();
    }

    @Override
    public void run() {
        new Thread(this::add, "first").start();
        new Thread(this::add, "second").start();
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (sum != 2 * TIMES) {
            throw new IllegalStateException("lost: the sum is " + sum);
        }
    }
}
