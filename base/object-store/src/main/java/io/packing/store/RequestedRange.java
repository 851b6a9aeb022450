// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A requested range of an object, with the check of its answers: a cache or proxy on the way may send another range, or
 * the whole object.
 *
 * @param what the reader asks, for messages
 * @param offset the first byte; {@link #TAIL} for the last bytes of the object
 * @param length bytes, at least one; of a tail at most
 */
public record RequestedRange(String what, long offset, int length) {
    /** The offset of the last bytes. */
    public static final long TAIL = -1;
    /** The number of wrong answers after which the store is at fault. */
    static final int WRONG_ANSWERS = 4;

    /**
     * The form of an answer's range; MinIO has no better words for the last bytes of an empty object than {@code bytes
     * 0--1/0}.
     */
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes ([0-9]{1,18})-(-1|[0-9]{1,18})/([0-9]{1,18})");

    /** Makes a range of known bytes. */
    public static RequestedRange of(String key, long offset, int length) {
        return new RequestedRange("get %d+%d of %s".formatted(offset, length, key), offset, length);
    }

    /** Makes the range of the last bytes. */
    public static RequestedRange tail(String key, int length) {
        return new RequestedRange("get the last %d bytes of %s".formatted(length, key), TAIL, length);
    }

    /** Returns the value of the request's header. */
    public String header() {
        return offset == TAIL ? "bytes=-" + length : "bytes=%d-%d".formatted(offset, offset + length - 1);
    }

    /**
     * Returns the number of bytes that the body must have.
     *
     * @param range the answer's header Content-Range
     * @param size the answer's Content-Length; negative without one
     * @param attempt of the answer, from 1
     * @throws Attempts.Transient when it answers another request, which the next attempt may not
     * @throws IOException when the object has no such range, or too many answers were wrong
     */
    public int bytes(@Nullable String range, long size, int attempt) throws IOException {
        if (range == null) {
            // Without a range the body is the whole object, with any status.
            boolean whole = offset == TAIL ? size >= 0 && size <= length : offset == 0 && size == length;
            if (whole) {
                return (int) size;
            }
            throw wrong(what, "the store ignores ranges and sent %d bytes".formatted(size), attempt);
        }
        Matcher parts = CONTENT_RANGE.matcher(range);
        if (parts.matches()) {
            long total = Long.parseLong(parts.group(3));
            long first = offset == TAIL ? Math.max(0, total - length) : offset;
            long end = Math.min(total, first + length);
            boolean asked = Long.parseLong(parts.group(1)) == first && Long.parseLong(parts.group(2)) == end - 1;
            if (asked && size == end - first) {
                checkWhole(size);
                return (int) size;
            }
        }
        throw wrong(what, "the store answered '%s' with %d bytes".formatted(range, size), attempt);
    }

    /** Accepts an object without any of the bytes, or throws when the range must be whole. */
    public void none() throws RangeBeyondObjectException {
        checkWhole(0);
    }

    private void checkWhole(long size) throws RangeBeyondObjectException {
        if (offset != TAIL && size != length) {
            throw new RangeBeyondObjectException("%s: the object ends before the range does".formatted(what));
        }
    }

    /**
     * Makes the exception for an answer to another request.
     *
     * @param attempt of the answer, from 1
     * @return an {@link Attempts.Transient} until too many answers were wrong
     */
    public static IOException wrong(String what, String problem, int attempt) {
        return attempt < WRONG_ANSWERS
                ? new Attempts.Transient(problem, false, null)
                : new IOException("%s: %s, %d times: look at the store and at the proxies before it"
                        .formatted(what, problem, attempt));
    }
}
