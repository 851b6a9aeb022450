// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Patterns of paths, for rules that an operator sets for parts of a mount. In a name, {@code *} stands for any characters and {@code ?} for
 * one; the name {@code **} stands for any number of directories. A pattern that a directory has is one of all that lies below it.
 *
 * @param patterns the names of each pattern, from the root on
 */
public record PathPatterns(List<List<String>> patterns) {
    /** No path has one of these. */
    public static final PathPatterns NONE = new PathPatterns(List.of());

    private static final int MOST = 100;
    private static final int MOST_CHARACTERS = 1_024;
    private static final String ANY_DIRECTORIES = "**";

    public PathPatterns {
        patterns = patterns.stream().map(List::copyOf).toList();
    }

    /**
     * Reads patterns that commas separate.
     *
     * @throws IllegalArgumentException naming the pattern that is none
     */
    public static PathPatterns parse(String text) {
        List<List<String>> patterns = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            String pattern = each.strip();
            if (!pattern.isEmpty()) {
                patterns.add(names(pattern));
            }
        }
        if (patterns.size() > MOST) {
            throw new IllegalArgumentException("expected at most %d patterns of paths".formatted(MOST));
        }
        return new PathPatterns(patterns);
    }

    private static List<String> names(String pattern) {
        String below = pattern.startsWith("/") ? pattern.substring(1) : pattern;
        List<String> names = Arrays.asList(below.split("/", -1));
        boolean isAnchored = pattern.startsWith("/") || names.get(0).equals(ANY_DIRECTORIES);
        if (!isAnchored || names.contains("") || pattern.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "expected patterns like /warehouse or **/_delta_log, separated by commas, not '%.80s'"
                            .formatted(pattern));
        }
        return names;
    }

    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Returns whether a path, or a directory above it, has one of the patterns. */
    public boolean matches(FilePath path) {
        if (patterns.isEmpty()) {
            return false;
        }
        List<String> names = Arrays.asList(path.value().substring(1).split("/", -1));
        return patterns.stream().anyMatch(pattern -> hasBeginning(pattern, names));
    }

    /** Returns whether the names begin with a pattern. It goes back to the last {@code **} only, so it takes the product of both lengths at most. */
    private static boolean hasBeginning(List<String> pattern, List<String> names) {
        int name = 0;
        int at = 0;
        int again = -1;
        int from = 0;
        while (at < pattern.size()) {
            if (pattern.get(at).equals(ANY_DIRECTORIES)) {
                again = ++at;
                from = name;
            } else if (name == names.size()) {
                return false;
            } else if (isLike(pattern.get(at), names.get(name))) {
                at++;
                name++;
            } else if (again >= 0) {
                at = again;
                name = ++from;
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean isLike(String pattern, String name) {
        int character = 0;
        int at = 0;
        int again = -1;
        int from = 0;
        while (character < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                again = ++at;
                from = character;
            } else if (at < pattern.length()
                    && (pattern.charAt(at) == '?' || pattern.charAt(at) == name.charAt(character))) {
                at++;
                character++;
            } else if (again >= 0) {
                at = again;
                character = ++from;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
