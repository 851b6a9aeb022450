// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import io.packing.fuse.posix.owner.OwnerMap;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a mount.
 *
 * @param readOnly true if programs can change nothing
 * @param valid the time for which the kernel need not ask again for names and attributes, which other clients may
 *     change meanwhile
 * @param draftBytes unpublished bytes of a file at which they are published
 * @param draftAge the longest time for which bytes stay unpublished without a sync
 * @param state a local directory for drafts
 * @param writesBehind true if the close of a small new file is answered before the publication
 * @param owners the operator's map of owners
 */
public record PosixOptions(
        boolean readOnly,
        Duration valid,
        long draftBytes,
        Duration draftAge,
        Path state,
        boolean writesBehind,
        OwnerMap owners) {
    public static final long DRAFT_BYTES = 64L << 20;
    public static final Duration DRAFT_AGE = Duration.ofSeconds(30);

    public PosixOptions {
        if (valid.isNegative() || draftBytes < 1 || draftAge.isNegative()) {
            throw new IllegalArgumentException(
                    "names valid for %s, drafts of %d bytes and %s".formatted(valid, draftBytes, draftAge));
        }
    }
}
