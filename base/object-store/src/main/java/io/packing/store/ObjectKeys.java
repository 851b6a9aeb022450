// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The keys that every store takes, and their order.
 *
 * <p>All stores refuse keys that one kind of store would change or refuse: empty and dot segments, control characters,
 * unpaired surrogates, names too long for a file system. So a key means one object everywhere.
 */
public final class ObjectKeys {
    /** The ascending order of the UTF-8 bytes, in which S3 lists. */
    public static final Comparator<String> UTF8_ORDER = ObjectKeys::compareUtf8;

    /** The longest key, with the store's prefix, in UTF-8 bytes: the limit of S3. */
    public static final int MAX_BYTES = 1024;

    /**
     * The longest part between two {@code /}, in UTF-8 bytes; it leaves room in the 255 of file systems for escapes and
     * suffixes.
     */
    public static final int MAX_SEGMENT_BYTES = 200;

    private ObjectKeys() {}

    /**
     * Returns the key when it is legal.
     *
     * @throws IllegalArgumentException naming its fault
     */
    public static String check(String key) {
        if (utf8Length(key) > MAX_BYTES) {
            throw bad(key, "longer than %d bytes".formatted(MAX_BYTES));
        }
        for (String segment : key.split("/", -1)) {
            if (segment.isEmpty()) {
                throw bad(key, "empty, or an empty part between slashes");
            }
            if (segment.equals(".") || segment.equals("..")) {
                throw bad(key, "a part that is . or ..");
            }
            if (utf8Length(segment) > MAX_SEGMENT_BYTES) {
                throw bad(key, "a part longer than %d bytes".formatted(MAX_SEGMENT_BYTES));
            }
        }
        if (key.chars().anyMatch(Character::isISOControl)) {
            throw bad(key, "a control character");
        }
        return key;
    }

    /** Returns the text without slashes at its ends. */
    static String trimSlashes(String text) {
        int from = 0;
        while (from < text.length() && text.charAt(from) == '/') {
            from++;
        }
        int to = text.length();
        while (to > from && text.charAt(to - 1) == '/') {
            to--;
        }
        return text.substring(from, to);
    }

    private static int utf8Length(String text) {
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return utf8.remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("bad object key: an unpaired surrogate", e);
        }
    }

    private static IllegalArgumentException bad(String key, String why) {
        String shown = key.length() <= 100 ? key : key.substring(0, 100) + "...";
        return new IllegalArgumentException("bad object key '%s': %s".formatted(shown, why));
    }

    /**
     * Compares by UTF-8 order, which differs from UTF-16 order only where a surrogate meets a character above the
     * surrogates.
     */
    private static int compareUtf8(String a, String b) {
        int end = Math.min(a.length(), b.length());
        for (int i = 0; i < end; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean xSurrogate = Character.isSurrogate(x);
                boolean ySurrogate = Character.isSurrogate(y);
                return xSurrogate == ySurrogate ? Character.compare(x, y) : Boolean.compare(xSurrogate, ySurrogate);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
