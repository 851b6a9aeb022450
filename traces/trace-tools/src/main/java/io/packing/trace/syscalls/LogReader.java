// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;

/** A reader of a log, which reports its calls to a {@link CallSink} line by line. */
interface LogReader {
    /** Takes one line; returns false at the end. */
    boolean step() throws IOException;

    /** Counts the steps back of the log's clock. */
    long clockSteps();
}
