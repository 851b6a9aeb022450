// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.underfs.UfsFileStatus;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a worker has of a file that it has just closed. Alluxio carries a string from the worker's output
 * stream to its master, which completes the file with a fingerprint of it. With this string it need not ask the BDT
 * master again for facts that the worker just sent.
 *
 * @param contentHash of the file's version, equal to that of its later status
 */
record CreatedFile(String contentHash, String owner, String group, int mode) {
    private static final String MAGIC = "packing1";
    private static final String SEPARATOR = ":";
    private static final int FIELDS = 5;
    private static final int OCTAL = 8;
    private static final long UNKNOWN = 0;

    /** Returns the string that Alluxio carries. */
    String encode() {
        return String.join(SEPARATOR, MAGIC, contentHash, text(owner), text(group), Integer.toString(mode, OCTAL));
    }

    private static String text(String value) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the string; empty when it is none of ours. */
    static Optional<CreatedFile> parse(@Nullable String string) {
        String[] fields = string == null ? new String[0] : string.split(SEPARATOR, -1);
        if (fields.length != FIELDS || !fields[0].equals(MAGIC)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new CreatedFile(fields[1], value(fields[2]), value(fields[3]), Short.parseShort(fields[4], OCTAL)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String value(String text) {
        return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    }

    /** As much of a status as a fingerprint takes in. */
    UfsFileStatus status(String name) {
        return new UfsFileStatus(name, contentHash, UNKNOWN, UNKNOWN, owner, group, (short) mode, UNKNOWN);
    }
}
