// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools.replay;

/** The pace of a replay's calls. */
public interface Pace {
    /** Waits until a time of the replay, in nanoseconds from its start. */
    void until(long nanos) throws InterruptedException;
}
