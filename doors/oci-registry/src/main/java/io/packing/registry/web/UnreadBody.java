// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;

/**
 * The rest of a refused request, read behind the answer. Many clients send a whole body before they read; a server that
 * closed the connection earlier would reset it, and the client would lose the answer. No thread waits for the bytes, so
 * that clients whom the server does not know cannot hold any.
 */
public final class UnreadBody implements Runnable {
    /** The time for which a refused client may send on; its connection is closed then. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Content.Source body;
    private final LongSupplier nanoTime;
    private final long began;
    private final Callback whole;

    /**
     * Makes the rest of a body.
     *
     * @param nanoTime the time of the process's clock
     * @param whole called when no more is read
     */
    public UnreadBody(Content.Source body, LongSupplier nanoTime, Callback whole) {
        this.body = body;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
        this.whole = whole;
    }

    /** Reads the present bytes, and goes on when more come. */
    @Override
    public void run() {
        Content.Chunk chunk = body.read();
        while (chunk != null) {
            boolean last = chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (last || nanoTime.getAsLong() - began > PATIENCE.toNanos()) {
                whole.succeeded();
                return;
            }
            chunk = body.read();
        }
        body.demand(this);
    }
}
