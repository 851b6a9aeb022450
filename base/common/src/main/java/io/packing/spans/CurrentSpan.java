// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

/** The span that a thread works for: calls of the thread are parts of it. */
public final class CurrentSpan {
    private static final Bound UNCHANGED = () -> {};
    private static final ThreadLocal<Span> CURRENT = ThreadLocal.withInitial(() -> Span.NONE);

    private CurrentSpan() {}

    /** A binding of the current span, until the thread that made it closes it. */
    public interface Bound extends AutoCloseable {
        @Override
        void close();
    }

    public static Span get() {
        return CURRENT.get();
    }

    /** Makes a span the current one; the close of the result restores the one before. */
    public static Bound bind(Span span) {
        Span before = CURRENT.get();
        if (before == span) {
            return UNCHANGED;
        }
        CURRENT.set(span);
        return () -> CURRENT.set(before);
    }
}
