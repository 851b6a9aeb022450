// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.options.Parsers;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The directories of a mount that have a history, and how far it reaches back (RFC 0031).
 *
 * @param windows by directory
 */
public record HistoryWindows(SortedMap<FilePath, Duration> windows) {
    /** No directory has a history. */
    public static final HistoryWindows NONE = new HistoryWindows(new TreeMap<>());

    /** Directories with a history: each is looked for at each change. */
    private static final int MOST = 100;
    /** States of one directory: a week of seconds fits. Each takes some 300 bytes of the master's memory. */
    private static final long MOST_STATES = 700_000;

    public HistoryWindows {
        windows = Collections.unmodifiableSortedMap(new TreeMap<>(windows));
    }

    /**
     * Reads them as {@code /projects=1h,/db=7d}.
     *
     * @throws IllegalArgumentException naming the part that is none
     */
    public static HistoryWindows parse(String text) {
        SortedMap<FilePath, Duration> windows = new TreeMap<>();
        for (String each : text.split(",", -1)) {
            String part = each.strip();
            int at = part.lastIndexOf('=');
            if (part.isEmpty()) {
                continue;
            }
            if (at < 0 || !part.startsWith("/")) {
                throw malformed(part);
            }
            FilePath directory = directory(part, part.substring(0, at).strip());
            Duration window = window(part, part.substring(at + 1).strip());
            if (windows.put(directory, window) != null) {
                throw new IllegalArgumentException("%s is named twice".formatted(directory));
            }
        }
        if (windows.size() > MOST) {
            throw new IllegalArgumentException("expected at most %d directories".formatted(MOST));
        }
        return new HistoryWindows(windows);
    }

    private static FilePath directory(String part, String path) {
        FilePath directory;
        try {
            directory = FilePath.normalise(path);
        } catch (IllegalArgumentException e) {
            throw malformed(part);
        }
        if (directory.isPast() || FilePath.RESERVED.contains(directory)) {
            throw malformed(part);
        }
        return directory;
    }

    private static Duration window(String part, String text) {
        Duration window;
        try {
            window = Parsers.duration(text);
        } catch (IllegalArgumentException e) {
            throw malformed(part);
        }
        if (window.compareTo(Duration.ofSeconds(1)) < 0) {
            throw malformed(part);
        }
        return window;
    }

    private static IllegalArgumentException malformed(String part) {
        return new IllegalArgumentException(
                "expected directories and how far back each can be restored, like /projects=1h,/db=7d, not '%.80s'"
                        .formatted(part));
    }

    /** Reads the least time between two states: whole seconds. */
    public static Duration every(String text) {
        Duration every = Parsers.duration(text);
        if (every.toSeconds() < 1
                || !every.equals(Duration.ofSeconds(every.toSeconds()))
                || every.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("expected whole seconds, from 1s to 1d");
        }
        return every;
    }

    /**
     * Checks that no directory would have too many states.
     *
     * @throws IllegalArgumentException naming the directory
     */
    void check(Duration every) {
        windows.forEach((directory, window) -> {
            if (window.toSeconds() / every.toSeconds() > MOST_STATES) {
                throw new IllegalArgumentException(
                        "option %s: %s would have more than %d states; raise %s, or choose a shorter window"
                                .formatted(
                                        BdtOptions.HISTORY.key(),
                                        directory,
                                        MOST_STATES,
                                        BdtOptions.HISTORY_EVERY.key()));
            }
        });
    }

    public boolean isEmpty() {
        return windows.isEmpty();
    }

    /** Returns the longest window; zero without one. */
    public Duration longest() {
        return windows.values().stream().max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
