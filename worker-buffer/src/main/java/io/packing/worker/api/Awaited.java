package io.packing.worker.api;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waiting for what other threads do, with their exceptions. */
public final class Awaited {
    private Awaited() {}

    /**
     * What the other thread made.
     *
     * @param what is done, for who is interrupted: "closing /a"
     */
    public static <T> T get(Future<T> future, String what) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + what);
        }
    }

    /**
     * Waits for what another thread makes for several. Each gets an exception of its own when that fails.
     *
     * @param what is done, for who is interrupted: "a worker is looked for"
     */
    public static <T> T shared(Future<T> future, String what) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnavailableException cause) {
                throw new UnavailableException(String.valueOf(cause.getMessage()), cause);
            }
            throw new IOException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + what);
        }
    }
}
