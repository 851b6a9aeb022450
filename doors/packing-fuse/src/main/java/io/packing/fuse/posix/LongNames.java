// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import com.google.common.base.Utf8;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.blob.FilePath;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names that the kernel's listings leave out. Mounts of older versions may have names that are too long for the kernel,
 * and one of them would fail the whole listing. The log names them once for each directory. Thread-safe.
 */
public final class LongNames {
    private static final Logger LOG = LoggerFactory.getLogger(LongNames.class);

    /** The longest name that the kernel takes from any FUSE server; Linux 6.14 and newer take longer ones from some. */
    private static final int MOST_BYTES = 1_024;

    private static final int MOST_BYTES_OF_A_CHAR = 3;
    private static final int MOST = 1_000;
    private static final int SHOWN = 40;

    /** The directories in the log, with their left-out names. */
    private final Cache<FilePath, List<String>> told =
            CacheBuilder.newBuilder().maximumSize(MOST).build();

    /** Returns whether the kernel takes a name in a listing. */
    public static boolean isListed(String name) {
        return name.length() <= MOST_BYTES / MOST_BYTES_OF_A_CHAR || Utf8.encodedLength(name) <= MOST_BYTES;
    }

    /** Returns whether a name is too long for a new entry. */
    public static boolean isTooLongForNew(String name) {
        return name.length() > FilePath.MAX_NAME_BYTES / MOST_BYTES_OF_A_CHAR
                && Utf8.encodedLength(name) > FilePath.MAX_NAME_BYTES;
    }

    /** Notes the names that the listing of a directory leaves out. */
    public void leaveOut(FilePath directory, List<String> names) {
        if (names.isEmpty()) {
            told.invalidate(directory);
        } else if (!names.equals(told.getIfPresent(directory))) {
            told.put(directory, names);
            LOG.warn(
                    "{}: {} names have more than {} bytes and are left out, as {}…: rename or delete them by packing-fs",
                    directory,
                    names.size(),
                    MOST_BYTES,
                    shown(names));
        }
    }

    /** Logs why a directory that looks empty was not removed, if its long names are the reason. */
    public void explain(FilePath directory) {
        List<String> names = told.getIfPresent(directory);
        if (names != null) {
            LOG.warn(
                    "{} was not removed: {} names have more than {} bytes and are not listed, as {}…: rename or delete them by packing-fs",
                    directory,
                    names.size(),
                    MOST_BYTES,
                    shown(names));
        }
    }

    private static String shown(List<String> names) {
        return names.get(0)
                .codePoints()
                .limit(SHOWN)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
