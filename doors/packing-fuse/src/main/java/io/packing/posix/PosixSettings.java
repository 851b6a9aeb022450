package io.packing.posix;

import io.packing.posix.owner.OwnerMap;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a mount behaves.
 *
 * @param readOnly whether nothing can be changed
 * @param valid for how long the kernel need not ask again for names and attributes, which others may change meanwhile
 * @param draftBytes unpublished bytes of a file at which they are published
 * @param draftAge for how long bytes that nobody asks for stay unpublished
 * @param state a local directory for drafts
 * @param writesBehind whether the close of a small new file is answered before the file is published
 * @param owners what the operator says about owners
 */
public record PosixSettings(
        boolean readOnly,
        Duration valid,
        long draftBytes,
        Duration draftAge,
        Path state,
        boolean writesBehind,
        OwnerMap owners) {
    public static final long DRAFT_BYTES = 64L << 20;
    public static final Duration DRAFT_AGE = Duration.ofSeconds(30);

    public PosixSettings {
        if (valid.isNegative() || draftBytes < 1 || draftAge.isNegative()) {
            throw new IllegalArgumentException(
                    "names valid for %s, drafts of %d bytes and %s".formatted(valid, draftBytes, draftAge));
        }
    }
}
