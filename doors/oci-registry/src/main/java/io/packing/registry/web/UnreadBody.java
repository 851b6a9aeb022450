// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;

/**
 * The rest of a refused request: the client would not see the answer if the server did not read it. No thread waits
 * for it, so that clients whom the server does not know cannot hold any.
 */
public final class UnreadBody implements Runnable {
    private final Content.Source body;
    private final Callback whole;
    private int left;

    /**
     * Makes the rest of a body.
     *
     * @param most bytes that are read; with more than that the connection is cut
     * @param whole called when no more is read
     */
    public UnreadBody(Content.Source body, int most, Callback whole) {
        this.body = body;
        this.left = most;
        this.whole = whole;
    }

    /** Reads the present bytes, and goes on when more come. */
    @Override
    public void run() {
        Content.Chunk chunk = body.read();
        while (chunk != null) {
            boolean last = chunk.isLast() || Content.Chunk.isFailure(chunk);
            left -= chunk.remaining();
            chunk.release();
            if (last || left <= 0) {
                whole.succeeded();
                return;
            }
            chunk = body.read();
        }
        body.demand(this);
    }
}
