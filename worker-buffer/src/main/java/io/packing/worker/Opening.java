// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The resources opened on the way to a larger one; closes them, the last one first, unless {@link #done} was called.
 */
final class Opening implements AutoCloseable {
    /** The way to close one resource. */
    interface Closing<T> {
        void close(T opened) throws IOException;
    }

    /** The close of one resource, which may fail. */
    private interface Step {
        void run() throws IOException;
    }

    private final Deque<Step> steps = new ArrayDeque<>();

    <T> T closing(T opened, Closing<T> closing) {
        steps.push(() -> closing.close(opened));
        return opened;
    }

    /** Keeps all resources open, since they have an owner now. */
    void done() {
        steps.clear();
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (IOException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
