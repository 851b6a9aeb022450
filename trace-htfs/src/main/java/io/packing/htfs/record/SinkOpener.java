package io.packing.htfs.record;

import io.packing.trace.TraceSink;
import java.io.IOException;

/** Opens the place that a process's events go to; again after it failed. */
@FunctionalInterface
public interface SinkOpener {
    TraceSink open() throws IOException;
}
