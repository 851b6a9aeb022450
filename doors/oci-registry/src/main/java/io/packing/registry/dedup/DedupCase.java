// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.util.Locale;
import java.util.Optional;

/** A finding of the engine on a blob, which decides the form of the blob. */
public enum DedupCase {
    /** A tar: it is a recipe now. */
    TAR,
    /** A gzipped tar that was made again to the byte: it is a recipe now. */
    GZIP_REBUILT,
    /** A layer that the registry made of a compressed one: it never was anything but a recipe. */
    TRANSLATED,
    /** A gzipped blob that no deflater here makes again, or none was asked to. */
    GZIP_KEPT,
    /** A blob compressed by zstd. */
    ZSTD_KEPT,
    /** Anything else, such as a configuration, or a tar that ends early. */
    NOT_A_TAR,
    /** The blob has, or inflates to, more bytes than the limit. */
    TOO_LARGE,
    /** The blob has more files than one vector can check. */
    TOO_MANY_FILES,
    /** The output of its recipe had another digest. */
    UNPROVED,
    /** All replicas are whole, as the mode of the nodes has it. */
    ALL_WHOLE;

    /** As in paths and metrics. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the blob is a recipe now. */
    public boolean isShared() {
        return this == TAR || this == GZIP_REBUILT || this == TRANSLATED;
    }

    static Optional<DedupCase> of(String text) {
        for (DedupCase each : values()) {
            if (each.text().equals(text)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
