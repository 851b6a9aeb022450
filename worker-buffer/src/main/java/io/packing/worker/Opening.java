package io.packing.worker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened on the way to something larger: closed again, the last first, unless that is done. */
final class Opening implements AutoCloseable {
    /** How something is closed. */
    interface Closing<T> {
        void close(T opened) throws IOException;
    }

    /** What may fail. */
    private interface Step {
        void run() throws IOException;
    }

    private final Deque<Step> steps = new ArrayDeque<>();

    <T> T closing(T opened, Closing<T> closing) {
        steps.push(() -> closing.close(opened));
        return opened;
    }

    /** Everything has an owner now. */
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
