// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.csi.volume.CsiRefusal;
import io.packing.options.Nearest;
import io.packing.options.Parsers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The terms of a mount, which a StorageClass names as its mount options.
 *
 * @param readOnly whether the kernel refuses changes
 * @param writeBehind whether closes of small new files wait for nothing
 * @param valid the time for which the kernel need not ask again
 */
public record MountFlags(boolean readOnly, boolean writeBehind, Duration valid) {
    private static final String READ_ONLY = "ro";
    private static final String READ_WRITE = "rw";
    private static final String WRITE_BEHIND = "write-behind";
    private static final String VALID = "valid=";
    private static final Duration DEFAULT_VALID = Duration.ofSeconds(1);
    private static final List<String> KNOWN = List.of(READ_ONLY, READ_WRITE, WRITE_BEHIND, VALID + "1s");

    /**
     * Reads flags.
     *
     * @param isReader true if the volume's access mode lets nobody write
     */
    public static MountFlags from(List<String> flags, boolean isReader) throws CsiRefusal {
        boolean isReadOnly = isReader;
        boolean isWriteBehind = false;
        Duration valid = DEFAULT_VALID;
        for (String each : flags) {
            if (each.equals(READ_ONLY)) {
                isReadOnly = true;
            } else if (each.equals(WRITE_BEHIND)) {
                isWriteBehind = true;
            } else if (each.startsWith(VALID)) {
                valid = duration(each.substring(VALID.length()));
            } else if (!each.equals(READ_WRITE)) {
                throw CsiRefusal.invalid(
                        "unknown mount option '%.100s'; did you mean '%s'?".formatted(each, Nearest.to(each, KNOWN)));
            }
        }
        return new MountFlags(isReadOnly, isWriteBehind, valid);
    }

    private static Duration duration(String text) throws CsiRefusal {
        try {
            return Parsers.duration(text);
        } catch (IllegalArgumentException e) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.INVALID_ARGUMENT,
                    "mount option %s%.100s: %s".formatted(VALID, text, e.getMessage()),
                    e);
        }
    }

    /** Returns the flags from which {@link #from} reads these terms. */
    public List<String> words() {
        List<String> words = new ArrayList<>(List.of(readOnly ? READ_ONLY : READ_WRITE));
        if (writeBehind) {
            words.add(WRITE_BEHIND);
        }
        words.add(VALID + valid.toMillis() + "ms");
        return words;
    }
}
