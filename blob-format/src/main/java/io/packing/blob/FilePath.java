package io.packing.blob;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An absolute, normalised path inside one mount: {@code /} or {@code /a/b}, with no empty, {@code .} or {@code ..}
 * component. Every other character is legal, except NUL and unpaired surrogates, which have no UTF-8 form.
 *
 * @param value the path as text
 */
public record FilePath(String value) implements Comparable<FilePath> {
    /** The longest path, in bytes of UTF-8. */
    public static final int MAX_BYTES = 65_535;

    public static final FilePath ROOT = new FilePath("/");

    public FilePath {
        check(value);
    }

    /** Accepts also doubled and trailing slashes, as front doors hand them over. */
    public static FilePath normalise(String text) {
        String folded = text.replaceAll("/+", "/");
        if (!folded.startsWith("/")) {
            folded = "/" + folded;
        }
        return new FilePath(
                folded.length() > 1 && folded.endsWith("/") ? folded.substring(0, folded.length() - 1) : folded);
    }

    public boolean isRoot() {
        return value.length() == 1;
    }

    /** The last component; empty for the root. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    /** The containing directory; empty for the root. */
    public Optional<FilePath> parent() {
        if (isRoot()) {
            return Optional.empty();
        }
        int slash = value.lastIndexOf('/');
        return Optional.of(slash == 0 ? ROOT : new FilePath(value.substring(0, slash)));
    }

    /** The path of an entry of this directory. */
    public FilePath child(String name) {
        return new FilePath(isRoot() ? "/" + name : value + "/" + name);
    }

    /** Whether the other path is this one or below it. */
    public boolean contains(FilePath other) {
        return isRoot()
                || other.value.equals(value)
                || (other.value.startsWith(value) && other.value.charAt(value.length()) == '/');
    }

    @Override
    public int compareTo(FilePath other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }

    private static void check(String value) {
        if (value.equals("/")) {
            return;
        }
        if (!value.startsWith("/")) {
            throw new IllegalArgumentException("path '%s' is not absolute".formatted(value));
        }
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("path '%s' contains NUL".formatted(value.replace('\0', '?')));
        }
        for (String component : value.substring(1).split("/", -1)) {
            if (component.isEmpty() || component.equals(".") || component.equals("..")) {
                throw new IllegalArgumentException("path '%s' has the component '%s'".formatted(value, component));
            }
        }
        // A char costs at most three bytes, so only long paths need the exact count.
        if (value.length() > MAX_BYTES / 3 && value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "path of %d chars is longer than %d bytes".formatted(value.length(), MAX_BYTES));
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw new IllegalArgumentException("path '%s' has an unpaired surrogate".formatted(value));
        }
    }
}
