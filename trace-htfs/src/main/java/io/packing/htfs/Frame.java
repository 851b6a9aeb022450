package io.packing.htfs;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread stands in traced file systems: one call of an application often makes others, and only the outermost is
 * an event.
 */
final class Frame {
    private static final ThreadLocal<Frame> MINE = ThreadLocal.withInitial(Frame::new);
    private static final WeakReference<Object> NOTHING = new WeakReference<>(null);

    private boolean inside;
    /** What was opened below the level at which streams are wrapped, under a number that its stream shall have. */
    private WeakReference<Object> opened = NOTHING;

    private long number;

    static Frame mine() {
        return MINE.get();
    }

    /** Whether the thread is in a call already. */
    boolean isInside() {
        return inside;
    }

    /** Returns whether the call that begins is the outermost; then it must {@link #leave}. */
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

    /** The number that {@code raw} was opened under, {@code otherwise} when there is none. */
    long numberOf(@Nullable Object raw, long otherwise) {
        if (raw == null || opened.get() != raw) {
            return otherwise;
        }
        opened = NOTHING;
        return number;
    }
}
