// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The groups of files, sizes and requests in chapter 2. */
final class SystemGroups {
    static final List<String> KINDS = List.of("multimedia", "productivity", "sqlite", "settings", "strings", "other");
    static final List<String> SIZES = List.of("<4KB", "<64KB", "<1MB", "<10MB", ">=10MB", "unknown");
    static final List<String> REQUESTS = List.of("<=4KB", "<=32KB", "<=128KB", "<=1MB", ">1MB");
    static final List<String> FORCED = List.of("0B", "<4KB", "<64KB", "<1MB", "<10MB", ">=10MB");
    static final List<String> OPENS = List.of("0", "1", "2-5", "6-10", "11-20", ">20");

    private static final long KB = 1 << 10;
    private static final Map<String, String> BY_EXTENSION = new HashMap<>();

    static {
        put(
                "multimedia",
                "jpg jpeg png gif tif tiff bmp svg webp heic ico mp3 aif aiff wav ogg flac aac m4a mp4 m4v mov avi "
                        + "mkv webm");
        put("productivity", "pages doc docx odt rtf pdf numbers xls xlsx ods csv key ppt pptx odp");
        put("sqlite", "sqlite sqlite3 db sqlite-wal sqlite-shm sqlite-journal db-wal db-shm db-journal");
        put("settings", "plist xcu xcd conf ini cfg desktop");
        put("strings", "strings mo qm");
    }

    private SystemGroups() {}

    private static void put(String kind, String extensions) {
        for (String extension : extensions.split(" ", -1)) {
            BY_EXTENSION.put(extension, kind);
        }
    }

    /** Returns the type of a file by its name (§2.5.1). A Mac's property lists are settings elsewhere. */
    static String kind(String path) {
        int dot = path.lastIndexOf('.');
        return dot <= path.lastIndexOf('/')
                ? "other"
                : BY_EXTENSION.getOrDefault(path.substring(dot + 1).toLowerCase(Locale.ROOT), "other");
    }

    /** Returns the group of a file's size (§2.5.2). */
    static String size(long bytes) {
        if (bytes < 0) {
            return "unknown";
        }
        return bytes < 4 * KB
                ? "<4KB"
                : bytes < 64 * KB ? "<64KB" : bytes < KB * KB ? "<1MB" : bytes < 10 * KB * KB ? "<10MB" : ">=10MB";
    }

    /** Returns the group of a request's size (§2.6.3). */
    static String request(long bytes) {
        return bytes <= 4 * KB
                ? "<=4KB"
                : bytes <= 32 * KB ? "<=32KB" : bytes <= 128 * KB ? "<=128KB" : bytes <= KB * KB ? "<=1MB" : ">1MB";
    }

    /** Returns the group of the bytes that a call forced to disk (§2.8.1). */
    static String forced(long bytes) {
        return bytes == 0 ? "0B" : size(bytes);
    }

    /** Returns the group of the opens of other files during an access (§2.6.6). */
    static String opens(long others) {
        return others <= 1
                ? Long.toString(others)
                : others <= 5 ? "2-5" : others <= 10 ? "6-10" : others <= 20 ? "11-20" : ">20";
    }
}
