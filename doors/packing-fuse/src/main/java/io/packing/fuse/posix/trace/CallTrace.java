// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.trace;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A trace file (docs/trace-format.md, version 2) of calls from many threads. A write failure ends the trace and not the
 * mount. Thread-safe.
 */
public final class CallTrace implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallTrace.class);

    /** The first version with system calls. */
    private static final int VERSION = 2;

    private final Path file;
    private final TraceFileWriter writer;
    private boolean ended;

    private CallTrace(Path file, TraceFileWriter writer) {
        this.file = file;
        this.writer = writer;
    }

    /** Creates the file, which must not exist. */
    public static CallTrace create(Path file) throws IOException {
        return new CallTrace(file, TraceFileWriter.create(file, TraceFileWriter.FileOptions.ofVersion(VERSION)));
    }

    synchronized void add(TraceEvent event) {
        if (ended) {
            return;
        }
        try {
            writer.write(event);
        } catch (IllegalArgumentException e) {
            // The path is longer than a trace can hold.
            writer.dropped(1);
        } catch (IOException e) {
            end(e);
        }
    }

    /** Writes the events added so far. */
    public synchronized void flush() {
        if (ended) {
            return;
        }
        try {
            writer.flush();
        } catch (IOException e) {
            end(e);
        }
    }

    private void end(IOException failure) {
        ended = true;
        LOG.error("the trace {} ends here: it cannot be written", file, failure);
    }

    @Override
    public synchronized void close() {
        ended = true;
        try {
            writer.close();
        } catch (IOException e) {
            LOG.error("the trace {} may lack its last events", file, e);
        }
    }
}
