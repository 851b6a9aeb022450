// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.util.Arrays;

/**
 * A header block of a tar (POSIX ustar, GNU and the form before both), field by field. Numbers are octal text, or base 256 when the
 * first bit of their field is set.
 */
final class TarHeader {
    static final int BLOCK = 512;

    // name 0:100, mode 100:108, user 108:116, group 116:124, size 124:136, time 136:148, sum 148:156, type 156, link
    // 157:257,
    // magic 257:265, user's and group's names 265:329, device 329:345, prefix 345:500 (POSIX)
    private static final int NAME_BYTES = 100;
    private static final int MODE_AT = 100;
    private static final int USER_AT = 108;
    private static final int GROUP_AT = 116;
    private static final int SHORT_BYTES = 8;
    private static final int SIZE_AT = 124;
    private static final int TIME_AT = 136;
    private static final int LONG_BYTES = 12;
    private static final int SUM_AT = 148;
    private static final int TYPE_AT = 156;
    private static final int LINK_AT = 157;
    private static final int MAGIC_AT = 257;
    private static final int MAJOR_AT = 329;
    private static final int MINOR_AT = 337;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_BYTES = 155;
    /** Bytes of the prefix in star's form, which has times behind the prefix and a mark at the end. */
    private static final int STAR_PREFIX_BYTES = 131;

    private static final int STAR_AT = 508;
    private static final int GNU_ACCESS_AT = 345;
    private static final int GNU_CHANGE_AT = 357;
    private static final int SPARSE_EXTENDED_AT = 482;
    private static final int MORE_EXTENDED_AT = 504;

    private static final byte[] POSIX = {'u', 's', 't', 'a', 'r', 0, '0', '0'};
    private static final byte[] GNU = {'u', 's', 't', 'a', 'r', ' ', ' ', 0};
    private static final byte[] STAR = {'t', 'a', 'r', 0};

    private final byte[] block;
    private final long size;

    private TarHeader(byte[] block, long size) {
        this.block = block;
        this.size = size;
    }

    /** Reads a header; {@link NotATarException} when its checksum or its size is wrong. */
    static TarHeader of(byte[] block) throws NotATarException {
        long sum = octal(block, SUM_AT, SHORT_BYTES, "a checksum");
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean inSum = i >= SUM_AT && i < SUM_AT + SHORT_BYTES;
            unsigned += inSum ? ' ' : block[i] & 0xff;
            signed += inSum ? ' ' : block[i];
        }
        if (sum != unsigned && sum != signed) {
            throw new NotATarException("a header with a wrong checksum");
        }
        long size = number(block, SIZE_AT, LONG_BYTES, "a size");
        if (size < 0 || size >= 1L << 62) {
            throw new NotATarException("a size that is negative, or too large");
        }
        return new TarHeader(block.clone(), size);
    }

    /** Returns whether more of a sparse map follows a block of it. */
    static boolean goesOn(byte[] sparseBlock) {
        return sparseBlock[MORE_EXTENDED_AT] != 0;
    }

    /** Returns whether a block has zeros alone, as the end of an archive has. */
    static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    char type() {
        return (char) (block[TYPE_AT] & 0xff);
    }

    long size() {
        return size;
    }

    /** Returns whether more of a sparse map follows the header. */
    boolean isExtended() {
        return type() == 'S' && block[SPARSE_EXTENDED_AT] != 0;
    }

    /** Returns the name with its prefix, where the form has one. */
    byte[] name() throws NotATarException {
        byte[] name = text(0, NAME_BYTES);
        byte[] prefix = prefix();
        if (prefix.length == 0) {
            return name;
        }
        byte[] all = Arrays.copyOf(prefix, prefix.length + 1 + name.length);
        all[prefix.length] = '/';
        System.arraycopy(name, 0, all, prefix.length + 1, name.length);
        return all;
    }

    private byte[] prefix() throws NotATarException {
        if (isMagic(POSIX)) {
            boolean star = Arrays.equals(block, STAR_AT, BLOCK, STAR, 0, STAR.length);
            return text(PREFIX_AT, star ? STAR_PREFIX_BYTES : PREFIX_BYTES);
        }
        if (isMagic(GNU)) {
            // GNU tar has times in the prefix's place: a text there is a prefix to some readers, and none to others.
            for (int at : new int[] {GNU_ACCESS_AT, GNU_CHANGE_AT}) {
                long unused = block[at] == 0 ? 0 : number(block, at, LONG_BYTES, "a time of the GNU form");
            }
        }
        return new byte[0];
    }

    private boolean isMagic(byte[] magic) {
        return Arrays.equals(block, MAGIC_AT, MAGIC_AT + magic.length, magic, 0, magic.length);
    }

    byte[] link() {
        return text(LINK_AT, NAME_BYTES);
    }

    long mode() throws NotATarException {
        return number(block, MODE_AT, SHORT_BYTES, "a mode");
    }

    long user() throws NotATarException {
        return number(block, USER_AT, SHORT_BYTES, "a user");
    }

    long group() throws NotATarException {
        return number(block, GROUP_AT, SHORT_BYTES, "a group");
    }

    /** Seconds since the epoch. */
    long modified() throws NotATarException {
        return number(block, TIME_AT, LONG_BYTES, "a time");
    }

    long major() throws NotATarException {
        return device(MAJOR_AT);
    }

    long minor() throws NotATarException {
        return device(MINOR_AT);
    }

    /** Reads the number of a device, which the form before POSIX does not have. */
    private long device(int at) throws NotATarException {
        return isMagic(POSIX) || isMagic(GNU) ? number(block, at, SHORT_BYTES, "a device") : 0;
    }

    private byte[] text(int at, int bytes) {
        int end = at;
        while (end < at + bytes && block[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(block, at, end);
    }

    private static long number(byte[] block, int at, int bytes, String what) throws NotATarException {
        return (block[at] & 0x80) == 0 ? octal(block, at, bytes, what) : base256(block, at, bytes, what);
    }

    /** Reads a big-endian number, in two's complement; the first bit is the mark, and the second one the sign. */
    private static long base256(byte[] block, int at, int bytes, String what) throws NotATarException {
        boolean negative = (block[at] & 0x40) != 0;
        long value = negative ? -1 : 0;
        for (int i = at; i < at + bytes; i++) {
            int digit = i > at ? block[i] & 0xff : negative ? block[i] | ~0x7f : block[i] & 0x7f;
            if (value >= 1L << 54 || value < -(1L << 54)) {
                throw new NotATarException(what + " that is too large");
            }
            value = (value << 8) | (digit & 0xff);
        }
        return value;
    }

    private static long octal(byte[] block, int at, int bytes, String what) throws NotATarException {
        int i = at;
        int end = at + bytes;
        while (i < end && (block[i] == ' ' || block[i] == 0)) {
            i++;
        }
        long value = 0;
        for (; i < end && block[i] != 0 && block[i] != ' '; i++) {
            if (block[i] < '0' || block[i] > '7') {
                throw new NotATarException(what + " that is not octal");
            }
            value = (value << 3) | (block[i] - '0');
        }
        for (; i < end && block[i] != 0; i++) {
            if (block[i] != ' ') {
                throw new NotATarException(what + " that is not octal");
            }
        }
        return value;
    }
}
