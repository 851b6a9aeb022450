// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Percent-encoding of paths and queries, as the signature of a request has it: RFC 3986, and UTF-8. */
public final class UriText {
    private static final String HEX = "0123456789ABCDEF";

    private UriText() {}

    /**
     * A parameter of a query.
     *
     * @param value empty: the parameter has none
     */
    public record Parameter(String name, String value) {}

    /** Encodes text; a slash stays if asked. */
    public static String encode(String text, boolean keepSlash) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xff;
            if (isUnreserved(c) || (keepSlash && c == '/')) {
                out.append((char) c);
            } else {
                out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return out.toString();
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    /** Decodes a path. A plus stays a plus. */
    public static String decodePath(String text) throws S3Exception {
        return decode(text, false);
    }

    private static String decode(String text, boolean isQuery) throws S3Exception {
        if (text.indexOf('%') < 0 && (!isQuery || text.indexOf('+') < 0) && isAscii(text)) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw new S3Exception(S3Code.INVALID_URI, "a percent sign without two hexadecimal digits");
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c == '+' && isQuery) {
                bytes.write(' ');
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                int point = text.codePointAt(i);
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(point) - 1;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new S3Exception(S3Code.INVALID_URI, "the URI is no UTF-8", e);
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /** Returns the decoded parameters of a query, in their order. */
    public static List<Parameter> parameters(String query) throws S3Exception {
        List<Parameter> all = new ArrayList<>();
        for (int at = 0; at < query.length(); ) {
            int end = query.indexOf('&', at);
            end = end < 0 ? query.length() : end;
            if (end > at) {
                String part = query.substring(at, end);
                int equals = part.indexOf('=');
                all.add(new Parameter(
                        decode(equals < 0 ? part : part.substring(0, equals), true),
                        equals < 0 ? "" : decode(part.substring(equals + 1), true)));
            }
            at = end + 1;
        }
        return all;
    }
}
