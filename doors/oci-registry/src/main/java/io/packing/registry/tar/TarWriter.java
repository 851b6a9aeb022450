// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a tar in the POSIX form. Values that do not fit into a header are in PAX records before it. These are long
 * names and those that are no ASCII, large numbers, times with a fraction or before 1970, and extended attributes.
 * Confined to one thread.
 */
public final class TarWriter extends OutputStream {
    private static final int BLOCK = TarHeader.BLOCK;
    private static final int NAME_BYTES = 100;
    private static final int SHORT_DIGITS = 7;
    private static final int LONG_DIGITS = 11;
    private static final int BITS_PER_DIGIT = 3;
    private static final byte[] NONE = {};

    private final OutputStream to;
    private long size;
    private long left;

    public TarWriter(OutputStream to) {
        this.to = to;
    }

    /** Begins an entry. As many bytes as it says are to be written then, before the next one begins. */
    public void begin(TarFields entry) throws IOException {
        endEntry();
        Map<String, byte[]> records = records(entry);
        if (!records.isEmpty()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            records.forEach((key, value) -> all.writeBytes(record(key, value)));
            TarFields about =
                    new TarFields('x', ascii("PaxHeader"), NONE, 0644, 0, 0, Instant.EPOCH, all.size(), 0, 0, Map.of());
            to.write(header(about));
            pad(all);
            to.write(all.toByteArray());
        }
        to.write(header(entry));
        size = entry.size();
        left = size;
    }

    private static void pad(ByteArrayOutputStream bytes) {
        bytes.writeBytes(new byte[padding(bytes.size())]);
    }

    private static int padding(long size) {
        return (int) ((BLOCK - size % BLOCK) % BLOCK);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Map<String, byte[]> records(TarFields entry) {
        Map<String, byte[]> records = new LinkedHashMap<>();
        name(records, "path", entry.name());
        name(records, "linkpath", entry.link());
        number(records, "uid", entry.user(), SHORT_DIGITS);
        number(records, "gid", entry.group(), SHORT_DIGITS);
        number(records, "size", entry.size(), LONG_DIGITS);
        Instant time = entry.modified();
        if (time.getNano() != 0 || !fits(time.getEpochSecond(), LONG_DIGITS)) {
            records.put("mtime", ascii(time(time)));
        }
        new TreeMap<>(entry.attributes()).forEach((name, value) -> records.put("SCHILY.xattr." + name, value.clone()));
        return records;
    }

    private static void name(Map<String, byte[]> records, String key, byte[] name) {
        boolean plain = name.length <= NAME_BYTES;
        for (byte b : name) {
            plain &= b > 0;
        }
        if (!plain) {
            records.put(key, name);
        }
    }

    private static void number(Map<String, byte[]> records, String key, long value, int digits) {
        if (!fits(value, digits)) {
            records.put(key, ascii(Long.toString(value)));
        }
    }

    private static boolean fits(long value, int digits) {
        return value >= 0 && value < 1L << (digits * BITS_PER_DIGIT);
    }

    /** Seconds with their fraction; before 1970 both count backwards. */
    private static String time(Instant time) {
        long seconds = time.getEpochSecond();
        int nanos = time.getNano();
        boolean isBefore = seconds < 0;
        if (isBefore && nanos > 0) {
            seconds++;
            nanos = 1_000_000_000 - nanos;
        }
        String fraction = nanos == 0 ? "" : ".%09d".formatted(nanos);
        return (isBefore && seconds == 0 ? "-" : "") + seconds + fraction;
    }

    private static byte[] record(String key, byte[] value) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        // A space, an equals sign and a line feed are in it as well, and its own length.
        int rest = name.length + value.length + 3;
        int length = rest + 1;
        while (String.valueOf(length).length() + rest != length) {
            length++;
        }
        ByteArrayOutputStream record = new ByteArrayOutputStream(length);
        record.writeBytes(ascii(length + " "));
        record.writeBytes(name);
        record.write('=');
        record.writeBytes(value);
        record.write('\n');
        return record.toByteArray();
    }

    private static byte[] header(TarFields entry) {
        byte[] block = new byte[BLOCK];
        text(block, 0, entry.name());
        octal(block, 100, entry.mode(), SHORT_DIGITS);
        octal(block, 108, entry.user(), SHORT_DIGITS);
        octal(block, 116, entry.group(), SHORT_DIGITS);
        octal(block, 124, entry.size(), LONG_DIGITS);
        octal(block, 136, entry.modified().getEpochSecond(), LONG_DIGITS);
        block[156] = (byte) entry.type();
        text(block, 157, entry.link());
        text(block, 257, ascii("ustar\000" + "00"));
        octal(block, 329, entry.major(), SHORT_DIGITS);
        octal(block, 337, entry.minor(), SHORT_DIGITS);
        Arrays.fill(block, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        text(block, 148, ascii("%06o\0".formatted(sum)));
        return block;
    }

    private static void text(byte[] block, int at, byte[] bytes) {
        System.arraycopy(bytes, 0, block, at, Math.min(bytes.length, NAME_BYTES));
    }

    /** Writes a number; one that does not fit is 0, since a record has it. */
    private static void octal(byte[] block, int at, long value, int digits) {
        text(block, at, ascii(("%0" + digits + "o").formatted(fits(value, digits) ? value : 0)));
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > left) {
            throw new IOException("an entry of %d bytes gets %d more".formatted(size, length - left));
        }
        to.write(bytes, offset, length);
        left -= length;
    }

    private void endEntry() throws IOException {
        if (left > 0) {
            throw new IOException("an entry of %d bytes lacks %d".formatted(size, left));
        }
        to.write(new byte[padding(size)]);
        size = 0;
    }

    /** Writes the end of the archive; the stream below stays open. */
    public void finish() throws IOException {
        endEntry();
        to.write(new byte[2 * BLOCK]);
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }
}
