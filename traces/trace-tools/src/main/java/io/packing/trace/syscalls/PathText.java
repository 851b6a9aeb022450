// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The encoding of paths, which are bytes, as texts of a trace; trace-format.md, section 10. */
final class PathText {
    private static final int DELETE = 0x7f;

    private PathText() {}

    /** Encodes a path: as UTF-8, with {@code \xHH} for other bytes, control characters and backslashes. */
    static String of(byte[] bytes, int length) {
        boolean plain = true;
        for (int i = 0; i < length && plain; i++) {
            plain = bytes[i] >= ' ' && bytes[i] != DELETE && bytes[i] != '\\';
        }
        return plain ? new String(bytes, 0, length, StandardCharsets.US_ASCII) : escaped(bytes, length);
    }

    private static String escaped(byte[] bytes, int length) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < length; ) {
            int wide = utf8(bytes, at, length);
            if (wide > 0) {
                text.append(new String(bytes, at, wide, StandardCharsets.UTF_8));
                at += wide;
            } else {
                text.append("\\x%02x".formatted(bytes[at] & 0xff));
                at++;
            }
        }
        return text.toString();
    }

    /** Returns the number of bytes of the character at {@code at}; 0 if it must be escaped. */
    private static int utf8(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xff;
        if (first < 0x80) {
            return first < ' ' || first == DELETE || first == '\\' ? 0 : 1;
        }
        int wide = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
        if (wide == 0 || at + wide > end) {
            return 0;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, wide));
            return wide;
        } catch (CharacterCodingException e) {
            return 0;
        }
    }

    /**
     * Resolves {@code path} against {@code directory}, and removes {@code .}, {@code ..} and double slashes. Links
     * stay.
     */
    static String resolve(String directory, String path) {
        String whole = path.startsWith("/") ? path : directory.isEmpty() ? path : directory + "/" + path;
        if (!whole.startsWith("/")) {
            return whole;
        }
        if (!whole.contains("//") && !whole.contains("/.") && !(whole.endsWith("/") && whole.length() > 1)) {
            return whole;
        }
        StringBuilder clean = new StringBuilder();
        for (String name : whole.split("/", -1)) {
            if (name.equals("..")) {
                clean.setLength(Math.max(0, clean.lastIndexOf("/")));
            } else if (!name.isEmpty() && !name.equals(".")) {
                clean.append('/').append(name);
            }
        }
        return clean.isEmpty() ? "/" : clean.toString();
    }
}
