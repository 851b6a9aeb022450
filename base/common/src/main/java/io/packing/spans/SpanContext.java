// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The identity of a span: its trace, and its id there. It travels as W3C Trace Context, level 1, or in {@link #BYTES}
 * bytes.
 *
 * @param traceHigh first half of the trace's id
 * @param traceLow second half; both are zero in {@link #NONE} only
 * @param span its id, not zero in a trace
 * @param sampled true if the spans of the trace are recorded
 */
public record SpanContext(long traceHigh, long traceLow, long span, boolean sampled) {
    /** The context without a trace. */
    public static final SpanContext NONE = new SpanContext(0, 0, 0, false);

    /** The bytes of a context in a message: trace, span, flags. */
    public static final int BYTES = 25;

    /** The length of a header: version, trace, span and flags, with a dash between them. */
    private static final int HEADER_LENGTH = 55;

    private static final int SAMPLED = 1;

    /** Returns whether it is in a trace, sampled or not. */
    public boolean exists() {
        return (traceHigh | traceLow) != 0 && span != 0;
    }

    /** Returns the value of a {@code traceparent} header. */
    public String toHeader() {
        return "00-%016x%016x-%016x-%02x".formatted(traceHigh, traceLow, span, sampled ? SAMPLED : 0);
    }

    /** Returns the context in a {@code traceparent} header; none when the header has another text. */
    public static SpanContext ofHeader(String text) {
        // A later version may go on behind the flags; 255 is no version.
        boolean whole = text.length() == HEADER_LENGTH
                || (text.length() > HEADER_LENGTH && text.charAt(HEADER_LENGTH) == '-' && !text.startsWith("00"));
        if (!whole
                || text.startsWith("ff")
                || !isHex(text, 0, 2)
                || !isHex(text, 3, 35)
                || !isHex(text, 36, 52)
                || !isHex(text, 53, 55)
                || text.charAt(2) != '-'
                || text.charAt(35) != '-'
                || text.charAt(52) != '-') {
            return NONE;
        }
        return checked(
                HexFormat.fromHexDigitsToLong(text, 3, 19),
                HexFormat.fromHexDigitsToLong(text, 19, 35),
                HexFormat.fromHexDigitsToLong(text, 36, 52),
                HexFormat.fromHexDigits(text, 53, 55));
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static SpanContext checked(long traceHigh, long traceLow, long span, int flags) {
        SpanContext context = new SpanContext(traceHigh, traceLow, span, (flags & SAMPLED) != 0);
        return context.exists() ? context : NONE;
    }

    /** Returns its bytes, {@link #BYTES} of them. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(traceHigh)
                .putLong(traceLow)
                .putLong(span)
                .put((byte) (sampled ? SAMPLED : 0))
                .array();
    }

    /** Returns the context in the bytes of a message; none when they are no context. */
    public static SpanContext ofBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            return NONE;
        }
        ByteBuffer from = ByteBuffer.wrap(bytes);
        return checked(from.getLong(), from.getLong(), from.getLong(), from.get());
    }

    String traceId() {
        return "%016x%016x".formatted(traceHigh, traceLow);
    }

    String spanId() {
        return "%016x".formatted(span);
    }
}
