// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An entry of a tar: its header, and the PAX records and names of the GNU form before it. Its fields are read when they
 * are asked for, and {@link NotATarException} says that one is no number.
 */
public final class TarEntry {
    private static final String EXTENDED = "SCHILY.xattr.";
    private static final String SPARSE = "GNU.sparse.";
    private static final int NANO_DIGITS = 9;
    private static final int MOST_SHOWN = 200;

    private final TarHeader header;
    private final PaxRecords records;
    private final Optional<byte[]> longName;
    private final Optional<byte[]> longLink;
    private final char type;
    private final long size;

    TarEntry(TarHeader header, PaxRecords records, Optional<byte[]> longName, Optional<byte[]> longLink)
            throws NotATarException {
        this.header = header;
        this.records = records;
        this.longName = longName;
        this.longLink = longLink;
        this.type = header.type() == 0 ? oldType() : header.type();
        this.size = isHeaderOnly() ? 0 : records.number("size").orElse(header.size());
        if (size < 0) {
            throw new NotATarException("a PAX size of '%d'".formatted(size));
        }
    }

    /** Returns the type in an old archive, which has directories by their slash alone. */
    private char oldType() throws NotATarException {
        byte[] name = name();
        return name.length > 0 && name[name.length - 1] == '/' ? '5' : '0';
    }

    /** Links, devices, directories and pipes have no bytes, whatever their size says. */
    private boolean isHeaderOnly() {
        return type >= '1' && type <= '6';
    }

    /** Returns the type as the header has it; {@code '0'} or {@code '5'} for one of an old archive. */
    public char type() {
        return type;
    }

    /** Bytes that follow. */
    public long size() {
        return size;
    }

    /** Returns whether the bytes are those of a file. */
    public boolean isContent() {
        return type == '0' || type == '7' || type == 'S';
    }

    /** Returns whether the bytes are parts of a file, which a map puts into their places. */
    public boolean isSparse() {
        return type == 'S' || records.all().keySet().stream().anyMatch(key -> key.startsWith(SPARSE));
    }

    public byte[] name() throws NotATarException {
        if (longName.isPresent()) {
            return longName.get();
        }
        Optional<byte[]> path = records.value("path");
        return path.isPresent() ? path.get() : header.name();
    }

    /** Returns the target of a link. */
    public byte[] link() {
        return longLink.or(() -> records.value("linkpath")).orElseGet(header::link);
    }

    public long mode() throws NotATarException {
        return header.mode();
    }

    public long user() throws NotATarException {
        Optional<Long> user = records.number("uid");
        return user.isPresent() ? user.get() : header.user();
    }

    public long group() throws NotATarException {
        Optional<Long> group = records.number("gid");
        return group.isPresent() ? group.get() : header.group();
    }

    public long major() throws NotATarException {
        return header.major();
    }

    public long minor() throws NotATarException {
        return header.minor();
    }

    /** Returns the time of the last modification; {@link NotATarException} when it has no number of milliseconds. */
    public Instant modified() throws NotATarException {
        Optional<byte[]> record = records.value("mtime");
        return record.isPresent() ? time(PaxRecords.text(record.get())) : time(header.modified(), 0);
    }

    private static Instant time(String text) throws NotATarException {
        int point = text.indexOf('.');
        String whole = point < 0 ? text : text.substring(0, point);
        String part = point < 0 ? "" : text.substring(point + 1);
        boolean digits = whole.matches("-?[0-9]{1,18}") && part.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits) {
            throw new NotATarException("a PAX mtime of '%.40s'".formatted(text));
        }
        String nanos = (part + "0".repeat(NANO_DIGITS)).substring(0, NANO_DIGITS);
        long beyond = Long.parseLong(nanos);
        return time(Long.parseLong(whole), whole.startsWith("-") ? -beyond : beyond);
    }

    private static Instant time(long seconds, long nanos) throws NotATarException {
        long most = Long.MAX_VALUE / 1_000 - 1;
        if (seconds > most || seconds < -most) {
            throw new NotATarException("a time of %d seconds".formatted(seconds));
        }
        return Instant.ofEpochSecond(seconds, nanos);
    }

    /** Returns the extended attributes by their names, whose bytes are read as Latin-1. */
    public Map<String, byte[]> attributes() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        records.all().forEach((key, value) -> {
            if (key.startsWith(EXTENDED)) {
                all.put(key.substring(EXTENDED.length()), value);
            }
        });
        return all;
    }

    /** Returns the text of bytes in UTF-8; empty: they are not UTF-8. */
    public static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Bytes for a message: those that are no printable ASCII are numbers, unless all are text. */
    public static String shown(byte[] bytes) {
        Optional<String> text = text(bytes).filter(all -> all.chars().noneMatch(Character::isISOControl));
        if (text.isPresent()) {
            return text.get().length() <= MOST_SHOWN ? text.get() : text.get().substring(0, MOST_SHOWN) + "…";
        }
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        for (int i = 0; i < Math.min(bytes.length, MOST_SHOWN); i++) {
            boolean printable = bytes[i] >= ' ' && bytes[i] < 0x7f;
            shown.writeBytes((printable ? String.valueOf((char) bytes[i]) : "\\x%02x".formatted(bytes[i]))
                    .getBytes(StandardCharsets.US_ASCII));
        }
        return shown.toString(StandardCharsets.US_ASCII);
    }
}
