// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a call.
 *
 * @param path as the application gave it, or null
 * @param target the second path of a rename, link or concat
 * @param hints {@code key=value} pairs separated by spaces
 */
public record On(@Nullable Path path, @Nullable Path target, String hints) {
    /** The subject of a call without a path. */
    public static final On NOTHING = new On(null, null, "");

    public static On path(@Nullable Path path) {
        return new On(path, null, "");
    }

    /** Makes the subject of a call on the whole file system. */
    public static On hints(String hints) {
        return new On(null, null, hints);
    }

    /** Makes the subject of a concat, with the first source. */
    public static On concatenated(@Nullable Path path, Path @Nullable [] sources) {
        int count = sources == null ? 0 : sources.length;
        return new On(path, sources == null || count == 0 ? null : sources[0], "sources=" + count);
    }

    public On to(@Nullable Path second) {
        return new On(path, second, hints);
    }

    public On with(String more) {
        return new On(path, target, hints.isEmpty() ? more : hints + " " + more);
    }
}
