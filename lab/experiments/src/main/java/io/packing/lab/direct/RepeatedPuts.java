// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The repetitions of a program that has to store every file: when its client gives a put up, the program puts the file
 * again at once. Many threads use it.
 */
public final class RepeatedPuts {
    /** The most repetitions of one put: a store that takes nothing ends the run. */
    private static final int MOST = 100;

    private final AtomicLong count = new AtomicLong();

    /** A put, with the retries of its client. */
    public interface Put {
        /** Stores the object. */
        void run() throws IOException;
    }

    /** Runs a put until it succeeds. */
    public void run(Put put) throws IOException {
        for (int repetition = 0; ; repetition++) {
            try {
                put.run();
                return;
            } catch (IOException e) {
                if (repetition == MOST || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                long unused = count.incrementAndGet();
            }
        }
    }

    /** Returns the number of repetitions so far. */
    public long count() {
        return count.get();
    }
}
