package io.packing.store;

/** How to wait: {@code Thread::sleep} outside of tests. */
@FunctionalInterface
interface Pause {
    void millis(long millis) throws InterruptedException;
}
