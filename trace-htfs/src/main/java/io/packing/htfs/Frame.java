// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread's position in traced file systems. A call of an application often makes other calls, and only the outermost
 * is an event.
 */
final class Frame {
    private static final ThreadLocal<Frame> MINE = ThreadLocal.withInitial(Frame::new);
    private static final WeakReference<Object> NOTHING = new WeakReference<>(null);

    private boolean inside;
    /** The object opened below the level at which streams are wrapped; the next field is the number for its stream. */
    private WeakReference<Object> opened = NOTHING;

    private long number;

    static Frame mine() {
        return MINE.get();
    }

    /** Returns whether the thread is in a call already. */
    boolean isInside() {
        return inside;
    }

    /** Returns whether the new call is the outermost; then it must {@link #leave}. */
    boolean enter() {
        if (inside) {
            return false;
        }
        inside = true;
        return true;
    }

    void leave() {
        inside = false;
    }

    void opened(Object raw, long streamNumber) {
        opened = new WeakReference<>(raw);
        number = streamNumber;
    }

    /** Returns the number under which {@code raw} was opened, or {@code otherwise}. */
    long numberOf(@Nullable Object raw, long otherwise) {
        if (raw == null || opened.get() != raw) {
            return otherwise;
        }
        opened = NOTHING;
        return number;
    }
}
