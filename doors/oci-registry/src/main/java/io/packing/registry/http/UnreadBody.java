package io.packing.registry.http;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;

/**
 * What a client still sends that was refused already: it would not see the answer if nobody read that. No thread waits for it, so
 * that clients whom the registry does not know cannot hold any.
 */
final class UnreadBody implements Runnable {
    private final Content.Source body;
    private final Callback whole;
    private int left;

    /**
     * The rest of a body.
     *
     * @param most bytes that are read; with more than that the connection is cut
     * @param whole called when no more is read
     */
    UnreadBody(Content.Source body, int most, Callback whole) {
        this.body = body;
        this.left = most;
        this.whole = whole;
    }

    /** Reads what is there, and goes on when there is more. */
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
