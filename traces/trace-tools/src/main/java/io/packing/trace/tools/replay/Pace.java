package io.packing.trace.tools.replay;

/** When the calls of a replay are made. */
public interface Pace {
    /** Waits until a time of the replay, nanoseconds from its start. */
    void until(long nanos) throws InterruptedException;
}
