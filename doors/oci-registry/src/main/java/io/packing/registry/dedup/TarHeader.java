package io.packing.registry.dedup;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * What of a tar header says how many bytes follow.
 *
 * @param type flag of the entry
 * @param size as the header has it
 * @param extended whether more of a sparse map follows
 */
record TarHeader(char type, long size, boolean extended) {
    static final int BLOCK = 512;
    private static final int SIZE_AT = 124;
    private static final int SIZE_BYTES = 12;
    private static final int SUM_AT = 148;
    private static final int SUM_BYTES = 8;
    private static final int TYPE_AT = 156;
    private static final int SPARSE_EXTENDED_AT = 482;
    private static final int MORE_EXTENDED_AT = 504;

    /** Reads a header; {@link NotATarException} when its checksum or its size is wrong. */
    static TarHeader of(byte[] block) throws NotATarException {
        long sum = octal(block, SUM_AT, SUM_BYTES);
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean inSum = i >= SUM_AT && i < SUM_AT + SUM_BYTES;
            unsigned += inSum ? ' ' : block[i] & 0xff;
            signed += inSum ? ' ' : block[i];
        }
        if (sum != unsigned && sum != signed) {
            throw new NotATarException("a header with a wrong checksum");
        }
        long size = number(block, SIZE_AT, SIZE_BYTES);
        char type = (char) (block[TYPE_AT] & 0xff);
        return new TarHeader(type, size, type == 'S' && block[SPARSE_EXTENDED_AT] != 0);
    }

    /** Whether more of a sparse map follows a block of it. */
    static boolean goesOn(byte[] sparseBlock) {
        return sparseBlock[MORE_EXTENDED_AT] != 0;
    }

    /** Whether the block says that the archive ends. */
    static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /** Links, devices and directories have no bytes, whatever their size says. */
    boolean isHeaderOnly() {
        return type >= '1' && type <= '6';
    }

    /** Whether the bytes are records about the next entry. */
    boolean isPax() {
        return type == 'x';
    }

    /** Returns whether the bytes are a name of the next entry, or records about all that follow: readers hold them in memory. */
    boolean isName() {
        return type == 'L' || type == 'K' || type == 'g';
    }

    /** Whether the bytes are a file's, and not about other entries. */
    boolean isContent() {
        return type == '0' || type == 0 || type == '7' || type == 'S';
    }

    /** The size that PAX records give the next entry. */
    static OptionalLong paxSize(byte[] records) throws NotATarException {
        OptionalLong size = OptionalLong.empty();
        for (int at = 0; at < records.length && records[at] != 0; ) {
            int space = at;
            long length = 0;
            while (space < records.length
                    && records[space] >= '0'
                    && records[space] <= '9'
                    && length < records.length) {
                length = length * 10 + records[space] - '0';
                space++;
            }
            if (space == records.length
                    || records[space] != ' '
                    || length <= space - at
                    || length > records.length - at) {
                throw new NotATarException("a PAX record without its length");
            }
            String record = new String(records, space + 1, at + (int) length - space - 2, StandardCharsets.UTF_8);
            if (record.startsWith("size=")) {
                size = OptionalLong.of(whole(record.substring("size=".length())));
            }
            at += (int) length;
        }
        return size;
    }

    private static long whole(String text) throws NotATarException {
        if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NotATarException("a PAX size of '%.40s'".formatted(text));
        }
        return Long.parseLong(text);
    }

    private static long number(byte[] block, int at, int bytes) throws NotATarException {
        if ((block[at] & 0x80) == 0) {
            return octal(block, at, bytes);
        }
        // Base 256, big-endian; the first bit of the rest is the sign.
        if ((block[at] & 0x7f) != 0) {
            throw new NotATarException("a size that is negative, or too large");
        }
        long value = 0;
        for (int i = at + 1; i < at + bytes; i++) {
            if (value >= 1L << 54) {
                throw new NotATarException("a size that is too large");
            }
            value = (value << 8) | (block[i] & 0xff);
        }
        return value;
    }

    private static long octal(byte[] block, int at, int bytes) throws NotATarException {
        long value = 0;
        int i = at;
        while (i < at + bytes && block[i] == ' ') {
            i++;
        }
        for (; i < at + bytes && block[i] != 0 && block[i] != ' '; i++) {
            if (block[i] < '0' || block[i] > '7') {
                throw new NotATarException("a number that is not octal");
            }
            value = (value << 3) | (block[i] - '0');
        }
        return value;
    }
}
