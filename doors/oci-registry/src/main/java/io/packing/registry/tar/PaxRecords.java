// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The records of a PAX header (POSIX pax, "pax Header File Format"): keys are read byte by byte as Latin-1, values are bytes. */
final class PaxRecords {
    static final PaxRecords NONE = new PaxRecords(Map.of());
    private static final Set<String> TEXTS = Set.of("path", "linkpath", "uname", "gname");
    /** Bytes of a length and of digits that a long holds. */
    private static final int MOST_DIGITS = 18;

    private final Map<String, byte[]> records;

    private PaxRecords(Map<String, byte[]> records) {
        this.records = records;
    }

    /** Reads records; {@link NotATarException} when one has a length that leads out of it or out of the header. */
    static PaxRecords parse(byte[] bytes) throws NotATarException {
        Map<String, byte[]> records = new LinkedHashMap<>();
        for (int at = 0; at < bytes.length; ) {
            int space = at;
            while (space < bytes.length && space - at <= MOST_DIGITS && bytes[space] >= '0' && bytes[space] <= '9') {
                space++;
            }
            if (space == at || space == bytes.length || space - at > MOST_DIGITS || bytes[space] != ' ') {
                throw new NotATarException("a PAX record without its length");
            }
            long length = Long.parseLong(new String(bytes, at, space - at, StandardCharsets.US_ASCII));
            // A space, an equals sign and a line feed at least, with a key.
            if (length < space - at + 4L || length > bytes.length - at || bytes[at + (int) length - 1] != '\n') {
                throw new NotATarException("a PAX record of a length of %d, which is not its own".formatted(length));
            }
            int end = at + (int) length - 1;
            int equals = space + 1;
            while (equals < end && bytes[equals] != '=') {
                equals++;
            }
            String key = new String(bytes, space + 1, equals - space - 1, StandardCharsets.ISO_8859_1);
            if (equals == end || key.isEmpty() || key.indexOf('\0') >= 0) {
                throw new NotATarException("a PAX record without a key");
            }
            byte[] value = Arrays.copyOfRange(bytes, equals + 1, end);
            if (TEXTS.contains(key) && hasNul(value)) {
                throw new NotATarException("a PAX record of a %s with a NUL".formatted(key));
            }
            records.put(key, value);
            at = end + 1;
        }
        return new PaxRecords(records);
    }

    private static boolean hasNul(byte[] value) {
        for (byte b : value) {
            if (b == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the value of a key; empty when the field of the header counts. */
    Optional<byte[]> value(String key) {
        return Optional.ofNullable(records.get(key)).filter(value -> value.length > 0);
    }

    /** Returns a whole number, if the key is there. */
    Optional<Long> number(String key) throws NotATarException {
        Optional<byte[]> value = value(key);
        return value.isEmpty() ? Optional.empty() : Optional.of(whole(key, text(value.get())));
    }

    static String text(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    private static long whole(String key, String text) throws NotATarException {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        if (digits.isEmpty() || digits.length() > MOST_DIGITS || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NotATarException("a PAX %s of '%.40s'".formatted(key, text));
        }
        return Long.parseLong(text);
    }

    /** Returns all records by their keys. */
    Map<String, byte[]> all() {
        return records;
    }
}
