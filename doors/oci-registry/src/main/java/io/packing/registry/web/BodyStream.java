// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;

/** The body of an answer on its way to the client, and how much of it was sent. Confined to one thread. */
public final class BodyStream extends OutputStream {
    private final Content.Sink sink;
    private final OutputStream bytes;
    private final ClientRate pace;
    private long count;

    public BodyStream(Content.Sink sink, ClientRate pace) {
        this.sink = sink;
        this.pace = pace;
        this.bytes = Content.Sink.asOutputStream(sink);
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        long since = pace.waits();
        bytes.write(from, offset, length);
        pace.moved(since, length);
        count += length;
    }

    /** Sends the rest of a buffer. One outside of the heap is given to the kernel as it is. */
    public void write(ByteBuffer from) throws IOException {
        int length = from.remaining();
        long since = pace.waits();
        Content.Sink.write(sink, false, from);
        pace.moved(since, length);
        count += length;
    }

    @Override
    public void flush() throws IOException {
        bytes.flush();
    }

    /** Ends the answer, which is whole. */
    @Override
    public void close() throws IOException {
        bytes.close();
    }

    /** Bytes that were sent. */
    public long count() {
        return count;
    }
}
