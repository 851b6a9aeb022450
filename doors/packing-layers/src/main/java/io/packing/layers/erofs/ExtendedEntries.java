// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The extended attributes behind an inode, little-endian.
 *
 * <pre>
 * header, 12 bytes    0:4 filter of names, unused   4:5 shared attributes, 0   5:12 zero
 * entry, each padded to 4 bytes
 *                     0:1 length of the suffix   1:2 number of the prefix   2:4 length of the value   suffix, value
 * </pre>
 */
final class ExtendedEntries {
    static final int HEADER = 12;
    static final int UNIT = 4;
    private static final int ENTRY = 4;
    private static final int MOST_SUFFIX = 255;
    private static final int MOST_VALUE = 0xFFFF;
    /** The inode counts units of four bytes in 16 bits, and the header as one. */
    private static final int MOST_BYTES = HEADER + UNIT * (0xFFFF - 1);

    /** A part of names that has a number in the format. */
    private record Prefix(int number, String text) {}

    private static final List<Prefix> PREFIXES = List.of(
            new Prefix(1, "user."),
            new Prefix(2, "system.posix_acl_access"),
            new Prefix(3, "system.posix_acl_default"),
            new Prefix(4, "trusted."),
            new Prefix(6, "security."));

    private ExtendedEntries() {}

    /** Returns the bytes of attributes; none without attributes. */
    static byte[] encode(Map<String, ExtendedValue> attributes) {
        if (attributes.isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[HEADER]);
        // In the order of names: equal trees have equal images.
        new TreeMap<>(attributes).forEach((name, value) -> add(out, name, value));
        if (out.size() > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "extended attributes of %,d bytes, at most %,d".formatted(out.size(), MOST_BYTES));
        }
        return out.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, String name, ExtendedValue value) {
        Prefix prefix = prefix(name);
        byte[] suffix = name.substring(prefix.text().length()).getBytes(StandardCharsets.UTF_8);
        if (suffix.length > MOST_SUFFIX || value.length() > MOST_VALUE) {
            throw new IllegalArgumentException(
                    "the attribute '%.300s' of %,d bytes is too long".formatted(name, value.length()));
        }
        int length = ENTRY + suffix.length + value.length();
        ByteBuffer entry =
                ByteBuffer.allocate((length + UNIT - 1) / UNIT * UNIT).order(ByteOrder.LITTLE_ENDIAN);
        entry.put((byte) suffix.length)
                .put((byte) prefix.number())
                .putShort((short) value.length())
                .put(suffix)
                .put(value.bytes());
        out.writeBytes(entry.array());
    }

    private static Prefix prefix(String name) {
        for (Prefix each : PREFIXES) {
            boolean isWhole = !each.text().endsWith(".");
            if (isWhole
                    ? name.equals(each.text())
                    : name.startsWith(each.text())
                            && name.length() > each.text().length()) {
                return each;
            }
        }
        throw new IllegalArgumentException("an image has no attributes as '%.300s'".formatted(name));
    }

    /** Returns the count that an inode has for so many bytes of attributes. */
    static int units(int bytes) {
        return bytes == 0 ? 0 : (bytes - HEADER) / UNIT + 1;
    }
}
