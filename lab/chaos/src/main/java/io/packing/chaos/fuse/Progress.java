package io.packing.chaos.fuse;

/** How far the programs of a round are, for whoever waits for a moment to kill. Thread-safe. */
final class Progress {
    private int running;
    private int steps;

    /** So many programs begin. */
    synchronized void begin(int programs) {
        running = programs;
    }

    synchronized void step() {
        steps++;
        notifyAll();
    }

    /** A program has ended. */
    synchronized void ended() {
        running--;
        notifyAll();
    }

    /** Waits until all programs together have done so many steps, or have ended. */
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
