// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A wait for the results of other threads, which throws their exceptions. */
public final class Awaited {
    private Awaited() {}

    /**
     * Returns the other thread's result.
     *
     * @param what the caller does, for its message when interrupted: "closing /a"
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
     * Returns a result that several callers wait for. Each caller gets an exception of its own when the other thread
     * fails.
     *
     * @param what the caller does, for its message when interrupted: "a worker is looked for"
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
