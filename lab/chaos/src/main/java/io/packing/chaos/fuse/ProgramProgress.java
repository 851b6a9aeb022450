// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

/** The programs' progress in a round, which tells the killer when to strike. Thread-safe. */
final class ProgramProgress {
    private int running;
    private int steps;

    /** Begins to count a number of programs. */
    synchronized void begin(int programs) {
        running = programs;
    }

    synchronized void step() {
        steps++;
        notifyAll();
    }

    /** Counts a program that has ended. */
    synchronized void ended() {
        running--;
        notifyAll();
    }

    /** Waits until all programs together have done a number of steps, or have ended. */
    synchronized void await(int count) throws InterruptedException {
        while (steps < count && running > 0) {
            wait();
        }
    }

    /** Waits for some time, or until all programs have ended. */
    synchronized void awaitEnd(int millis) throws InterruptedException {
        long left = millis;
        long end = System.nanoTime() + left * 1_000_000;
        while (running > 0 && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }
}
