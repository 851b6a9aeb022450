// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of an object that a request asks for.
 *
 * @param first offset of the first byte
 * @param last offset of the last byte
 */
public record ObjectRange(long first, long last) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})\\s*-\\s*([0-9]{0,18})\\s*");
    private static final Pattern COPIED = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

    public long count() {
        return last - first + 1;
    }

    /**
     * Reads a {@code Range} header; empty when it names no single range, which means the whole object.
     *
     * @throws S3Exception when no byte of the object is meant
     */
    public static Optional<ObjectRange> of(String header, long length) throws S3Exception {
        Matcher matcher = ONE.matcher(header);
        if (!matcher.matches()
                || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
            return Optional.empty();
        }
        long first;
        long last = length - 1;
        if (matcher.group(1).isEmpty()) {
            long count = Long.parseLong(matcher.group(2));
            first = count == 0 ? length : Math.max(0, length - count);
        } else {
            first = Long.parseLong(matcher.group(1));
            if (!matcher.group(2).isEmpty()) {
                long named = Long.parseLong(matcher.group(2));
                if (named < first) {
                    return Optional.empty();
                }
                last = Math.min(last, named);
            }
        }
        if (first > last) {
            throw new S3Exception(
                    S3Code.INVALID_RANGE, "the range '%.60s' has no byte of an object of %d".formatted(header, length));
        }
        return Optional.of(new ObjectRange(first, last));
    }

    /** Reads the range of a copy, all of which has to be there. */
    public static ObjectRange ofCopy(String header, long length) throws S3Exception {
        Matcher matcher = COPIED.matcher(header.strip());
        if (!matcher.matches()) {
            throw S3Exception.argument("the range '%.60s' is none of the form bytes=FIRST-LAST".formatted(header));
        }
        ObjectRange range = new ObjectRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        if (range.first > range.last || range.last >= length) {
            throw S3Exception.argument(
                    "the range '%.60s' is not within the %d bytes of the source".formatted(header, length));
        }
        return range;
    }
}
