// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a block and their numbers, in the order in which they came; trace-format.md, section 4. Hashed without
 * boxing: every event looks some up. Confined to one thread.
 */
final class TextTable {
    private static final int FIRST = 256;

    private @Nullable String[] keys = new String[FIRST];
    private int[] numbers = new int[FIRST];
    private String[] texts = new String[FIRST / 2];
    private int size;
    private long chars;

    TextTable() {
        number("");
    }

    /**
     * Returns the number of a text, a new one when it has none; the empty text has 0.
     *
     * @throws IllegalArgumentException when the text is longer than the format allows; it has no number then
     */
    int number(String text) {
        if (text.isEmpty() && size > 0) {
            return 0;
        }
        int at = find(text);
        return keys[at] == null ? add(text, at) : numbers[at];
    }

    /** Adds a text. Apart from the look-up, which the JVM compiles into each of its callers. */
    private int add(String text, int at) {
        requireWritable(text);
        int number = size;
        keys[at] = text;
        numbers[at] = number;
        texts[number] = text;
        chars += text.length();
        size++;
        if (size == texts.length) {
            grow();
        }
        return number;
    }

    private static void requireWritable(String text) {
        // A UTF-16 unit takes at most three bytes of UTF-8: nearly every text needs no second look.
        if (text.length() > TraceLayout.MAX_TEXT / 3) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > TraceLayout.MAX_TEXT) {
                throw new IllegalArgumentException("a text of %d bytes is longer than %d: '%.80s...'"
                        .formatted(bytes, TraceLayout.MAX_TEXT, text));
            }
        }
    }

    /** Returns the index of {@code text}, or the one for its insertion. */
    @SuppressWarnings("ReferenceEquality") // Before equals(): most texts are the very ones that came before.
    private int find(String text) {
        int mask = keys.length - 1;
        int hash = text.hashCode();
        int at = (hash ^ (hash >>> 15)) & mask;
        String key = keys[at];
        while (key != null && key != text && !key.equals(text)) {
            at = (at + 1) & mask;
            key = keys[at];
        }
        return at;
    }

    private void grow() {
        texts = Arrays.copyOf(texts, 2 * texts.length);
        keys = new String[2 * keys.length];
        numbers = new int[keys.length];
        for (int i = 0; i < size; i++) {
            int at = find(texts[i]);
            keys[at] = texts[i];
            numbers[at] = i;
        }
    }

    int size() {
        return size;
    }

    /** Returns the length of all texts together, in UTF-16 units. */
    long chars() {
        return chars;
    }

    void writeTo(ColumnOutput out) {
        out.varint(size);
        for (int i = 0; i < size; i++) {
            out.text(texts[i]);
        }
    }

    void clear() {
        Arrays.fill(keys, null);
        Arrays.fill(texts, 0, size, "");
        size = 0;
        chars = 0;
        number("");
    }
}
