// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

/** A log of what happens to loops. A loop calls it on its own thread. */
public interface LoopLog {
    /** A step failed, and the step before it did not. */
    void failed(String loop, Exception e);

    /** Steps failed in a row, and their number is a power of two. */
    void failedAgain(String loop, long failures, Exception e);

    /** A step succeeded after several that failed. */
    void works(String loop, long failures);

    /** A thread interrupted the loop, which goes on. */
    void interrupted(String loop);
}
