// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.Optional;

/**
 * An absolute, normalised path inside one mount: {@code /} or {@code /a/b}, with no empty, {@code .} or {@code ..}
 * component. Every other character is legal, except NUL and unpaired surrogates, which have no UTF-8 form.
 *
 * @param value the path as text
 */
public record FilePath(String value) implements Comparable<FilePath> {
    /**
     * The longest path at which a user may create an entry, in bytes of UTF-8. An existing entry may get a longer path,
     * by a rename of a directory above it.
     */
    public static final int MAX_BYTES = 65_535;

    /** The most levels of a path at which a user may create an entry, as in HDFS. */
    public static final int MAX_LEVELS = 1_000;

    /**
     * The longest component of a path at which a user may create an entry, in bytes of UTF-8, as in HDFS and Linux.
     * Older mounts may have longer ones: users can read, rename and delete these.
     */
    public static final int MAX_NAME_BYTES = 255;

    /** The most bytes of UTF-8 of one char. */
    private static final int BYTES_PER_CHAR = 3;

    private static final int SHOWN_CHARS = 80;

    public static final FilePath ROOT = new FilePath("/");

    /**
     * The directory that the system itself keeps in a mount. Listings of the root leave it out, and doors refuse it to
     * users.
     */
    public static final FilePath RESERVED = new FilePath("/.reserved");

    /** The directory in which doors keep bytes before those get their place. */
    public static final FilePath SCRATCH = new FilePath("/.reserved/scratch");

    /** The component below which a directory's snapshots are; no entry may have this name. */
    public static final String SNAPSHOTS = ".snapshot";

    private static final String SNAPSHOTS_BELOW = "/" + SNAPSHOTS;

    public FilePath {
        check(value);
    }

    /** Makes a path from text that may have doubled and trailing slashes, as front doors hand it over. */
    public static FilePath normalise(String text) {
        String folded = text.contains("//") ? text.replaceAll("/+", "/") : text;
        if (!folded.startsWith("/")) {
            folded = "/" + folded;
        }
        return new FilePath(
                folded.length() > 1 && folded.endsWith("/") ? folded.substring(0, folded.length() - 1) : folded);
    }

    /** Returns whether the path leads into a snapshot, or to a directory's snapshots. */
    public boolean isPast() {
        return snapshotsAt() >= 0;
    }

    /** Returns the index of the slash before the first component that leads to snapshots; -1 when no component does. */
    public int snapshotsAt() {
        int at = value.indexOf(SNAPSHOTS_BELOW);
        while (at >= 0) {
            int end = at + SNAPSHOTS_BELOW.length();
            if (end == value.length() || value.charAt(end) == '/') {
                return at;
            }
            at = value.indexOf(SNAPSHOTS_BELOW, end);
        }
        return -1;
    }

    /** Returns the reason why a user may not create or change an entry at this path; empty when one may. */
    public Optional<String> whyNotCreatable() {
        if (isPast()) {
            return Optional.of(shown() + ": a snapshot is never changed");
        }
        if (value.length() <= MAX_NAME_BYTES / BYTES_PER_CHAR) {
            // Most paths are so short that no limit can be exceeded.
            return Optional.empty();
        }
        int longest = longestName();
        if (longest > MAX_NAME_BYTES) {
            return Optional.of("%s: a name of %,d bytes, at most %,d".formatted(shown(), longest, MAX_NAME_BYTES));
        }
        long levels = value.chars().filter(c -> c == '/').count();
        if (levels > MAX_LEVELS) {
            return Optional.of("%s: %,d levels, at most %,d".formatted(shown(), levels, MAX_LEVELS));
        }
        long bytes = utf8Bytes();
        return bytes > MAX_BYTES
                ? Optional.of("%s: %,d bytes, at most %,d".formatted(shown(), bytes, MAX_BYTES))
                : Optional.empty();
    }

    /** Refuses a path at which a user may not create an entry. */
    public void checkCreatable() throws UncreatablePathException {
        Optional<String> why = whyNotCreatable();
        if (why.isPresent()) {
            throw new UncreatablePathException(why.get());
        }
    }

    /** Returns the reason why doors refuse this path to users; empty when they do not. */
    public Optional<String> whyNotForUsers() {
        return RESERVED.contains(this)
                ? Optional.of("%s: %s and what is below it is the system's own; use another path"
                        .formatted(shown(), RESERVED))
                : Optional.empty();
    }

    private String shown() {
        if (value.length() <= SHOWN_CHARS) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(SHOWN_CHARS - 1)) ? SHOWN_CHARS - 1 : SHOWN_CHARS;
        return value.substring(0, end) + "…";
    }

    private long utf8Bytes() {
        return value.chars().mapToLong(FilePath::utf8Bytes).sum();
    }

    /** Returns the bytes of a char; each half of a surrogate pair counts as two bytes. */
    private static int utf8Bytes(int c) {
        return c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate((char) c) ? 2 : BYTES_PER_CHAR;
    }

    /** Returns the bytes of the longest component. */
    private int longestName() {
        int longest = 0;
        int bytes = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            bytes = c == '/' ? 0 : bytes + utf8Bytes(c);
            longest = Math.max(longest, bytes);
        }
        return longest;
    }

    public boolean isRoot() {
        return value.length() == 1;
    }

    /** Returns the last component; empty for the root. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    /** Returns the containing directory; empty for the root. */
    public Optional<FilePath> parent() {
        if (isRoot()) {
            return Optional.empty();
        }
        int slash = value.lastIndexOf('/');
        return Optional.of(slash == 0 ? ROOT : new FilePath(value.substring(0, slash)));
    }

    /** Returns the path of an entry of this directory. */
    public FilePath child(String name) {
        return new FilePath(isRoot() ? "/" + name : value + "/" + name);
    }

    /** Returns whether the other path is this one or below it. */
    public boolean contains(FilePath other) {
        return isRoot()
                || other.value.equals(value)
                || (other.value.startsWith(value) && other.value.charAt(value.length()) == '/');
    }

    /** Compares the paths' UTF-8 bytes, whose order differs from that of strings above U+FFFF. */
    @Override
    public int compareTo(FilePath other) {
        int common = Math.min(value.length(), other.value.length());
        for (int i = 0; i < common; i++) {
            char a = value.charAt(i);
            char b = other.value.charAt(i);
            if (a != b) {
                boolean supplementary = Character.isSurrogate(a) != Character.isSurrogate(b);
                return !supplementary || Math.min(a, b) < Character.MIN_SURROGATE
                        ? Character.compare(a, b)
                        : Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b));
            }
        }
        return Integer.compare(value.length(), other.value.length());
    }

    @Override
    public String toString() {
        return value;
    }

    /** Checks a path in one pass without allocation: a blob has a hundred thousand paths. */
    private static void check(String value) {
        int length = value.length();
        if (length == 0 || value.charAt(0) != '/') {
            throw new IllegalArgumentException("path '%s' is not absolute".formatted(value));
        }
        int start = 1;
        for (int i = 1; i <= length && length > 1; i++) {
            char c = i == length ? '/' : value.charAt(i);
            if (c == '/') {
                checkComponent(value, start, i);
                start = i + 1;
            } else if (c == 0) {
                throw new IllegalArgumentException("path '%s' contains NUL".formatted(value.replace('\0', '?')));
            } else if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(value.charAt(i + 1))) {
                    throw new IllegalArgumentException("path '%s' has an unpaired surrogate".formatted(value));
                }
                i++;
            }
        }
    }

    private static void checkComponent(String value, int start, int end) {
        int size = end - start;
        // The first and last character of "." and of ".." are dots.
        if (size == 0 || (size <= 2 && value.charAt(start) == '.' && value.charAt(end - 1) == '.')) {
            throw new IllegalArgumentException(
                    "path '%s' has the component '%s'".formatted(value, value.substring(start, end)));
        }
    }
}
