package io.packing.trace.syscalls;

import java.io.IOException;

/** Reads a log of calls line by line, and tells a {@link CallSink} of them. */
interface LogReader {
    /** Takes one line; false at the end. */
    boolean step() throws IOException;

    /** How often the log's clock stepped back. */
    long clockSteps();
}
