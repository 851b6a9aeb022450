package io.packing.spans;

/** The span whose work a thread does: calls that the thread makes are parts of it. */
public final class CurrentSpan {
    private static final Bound UNCHANGED = () -> {};
    private static final ThreadLocal<Span> CURRENT = ThreadLocal.withInitial(() -> Span.NONE);

    private CurrentSpan() {}

    /** Until it is closed, by the same thread, the span is current. */
    public interface Bound extends AutoCloseable {
        @Override
        void close();
    }

    public static Span get() {
        return CURRENT.get();
    }

    /** Makes a span the current one; what is closed brings the one before back. */
    public static Bound bind(Span span) {
        Span before = CURRENT.get();
        if (before == span) {
            return UNCHANGED;
        }
        CURRENT.set(span);
        return () -> CURRENT.set(before);
    }
}
