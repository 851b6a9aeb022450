// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of a blob that a request asks for.
 *
 * @param first offset of the first byte
 * @param last offset of the last byte
 */
record ByteRangeHeader(long first, long last) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})\\s*-\\s*([0-9]{0,18})\\s*");
    private static final Pattern CHUNK = Pattern.compile("(?:bytes[ =]\\s*)?([0-9]{1,18})-([0-9]{1,18})(?:/.*)?");

    long count() {
        return last - first + 1;
    }

    /**
     * Reads a {@code Range} header; empty when it is none that can be answered with one range, which means the whole blob.
     *
     * @throws OciException status 416, when no byte of the blob is meant
     */
    static Optional<ByteRangeHeader> ofRange(String header, long length) throws OciException {
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
                last = Math.min(last, Long.parseLong(matcher.group(2)));
            }
        }
        if (first > last) {
            throw OciException.beyond(
                    length, "the range '%.60s' has no byte of a blob of %d".formatted(header, length));
        }
        return Optional.of(new ByteRangeHeader(first, last));
    }

    /** Reads the {@code Content-Range} of a chunk: {@code 0-99}. */
    static ByteRangeHeader ofChunk(String header) throws OciException {
        Matcher matcher = CHUNK.matcher(header.strip());
        if (matcher.matches()) {
            long first = Long.parseLong(matcher.group(1));
            long last = Long.parseLong(matcher.group(2));
            if (first <= last) {
                return new ByteRangeHeader(first, last);
            }
        }
        throw OciException.range(
                OciCode.BLOB_UPLOAD_INVALID, "'%.60s' is no range of a chunk, want FIRST-LAST".formatted(header), "");
    }
}
