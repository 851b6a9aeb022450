// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;

/** A receiver of events one by one, in the order in which their calls ended. Confined to one thread. */
public interface TraceSink extends AutoCloseable {
    void write(TraceEvent event) throws IOException;

    @Override
    void close() throws IOException;
}
