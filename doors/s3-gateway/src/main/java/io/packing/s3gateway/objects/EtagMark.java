// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileVersion;
import java.util.Optional;

/**
 * The ETag of an object with the length and the time of the bytes that it is of. Every other change of a file's bytes gives the file another
 * time: the gateway's own times have nanoseconds of a millisecond that are never 0, and those of changes in place are always 0.
 *
 * @param etag without quotes
 */
public record EtagMark(String etag, long length, long millis, int nanos) {
    private static final int PARTS = 4;

    /** Returns the form that is kept as an attribute. */
    String text() {
        return "%s %d %d %d".formatted(etag, length, millis, nanos);
    }

    static Optional<EtagMark> parse(String text) {
        String[] words = text.split(" ", -1);
        try {
            return words.length == PARTS && words[0].matches("[0-9a-f]{32}(-[0-9]{1,5})?")
                    ? Optional.of(new EtagMark(
                            words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            // A program of another door has written it.
            return Optional.empty();
        }
    }

    /** Returns whether a file has the bytes still. */
    boolean isOf(FileStatus file) {
        return length == file.attributes().length()
                && millis == file.attributes().mtimeMillis()
                && nanos == file.extras().nanos();
    }

    /** Returns the ETag of a file that another door wrote. Clients know from its form that it is no MD5. */
    static String ofVersion(FileVersion version) {
        return "%016x%016x-0".formatted(version.id(), version.generation());
    }
}
