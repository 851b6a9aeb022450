// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** A tar of a layer byte by byte: every field is as a test wants it, also one that no program would write. */
public final class OddTar {
    public static final int BLOCK = 512;
    public static final String USTAR = "ustar\0" + "00";
    public static final String GNU = "ustar  \0";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** The fields of a header; each has the value of an ordinary file of root until a test sets another one. */
    public static final class Header {
        private final byte[] name;
        private final char type;
        private long size;
        private long mode = 0644;
        private long user;
        private long group;
        private long modified;
        private byte[] link = {};
        private long major;
        private long minor;
        private String magic = USTAR;
        private byte[] prefix = {};
        private boolean base256;

        public Header(byte[] name, char type) {
            this.name = name.clone();
            this.type = type;
        }

        public Header(String name, char type) {
            this(utf8(name), type);
        }

        public Header size(long bytes) {
            size = bytes;
            return this;
        }

        public Header mode(long bits) {
            mode = bits;
            return this;
        }

        public Header owner(long userId, long groupId) {
            user = userId;
            group = groupId;
            return this;
        }

        public Header modified(long seconds) {
            modified = seconds;
            return this;
        }

        public Header link(byte[] target) {
            link = target.clone();
            return this;
        }

        public Header link(String target) {
            return link(utf8(target));
        }

        public Header device(long majorNumber, long minorNumber) {
            major = majorNumber;
            minor = minorNumber;
            return this;
        }

        public Header magic(String text) {
            magic = text;
            return this;
        }

        public Header prefix(String text) {
            prefix = utf8(text);
            return this;
        }

        /** Has all numbers in base 256, also those that fit into octal digits. */
        public Header base256() {
            base256 = true;
            return this;
        }

        private void number(byte[] block, int at, int width, long value) {
            boolean fits = value >= 0 && value < 1L << (3 * (width - 1));
            if (fits && !base256) {
                put(block, at, utf8(("%0" + (width - 1) + "o").formatted(value)));
                return;
            }
            for (int i = 0; i < width; i++) {
                int shift = 8 * (width - 1 - i);
                block[at + i] = (byte) (shift > 63 ? value >> 63 : value >> shift);
            }
            block[at] = (byte) (value < 0 ? 0xff : block[at] | 0x80);
        }

        /** Returns the block without its checksum. */
        public byte[] fields() {
            byte[] block = new byte[BLOCK];
            put(block, 0, name);
            number(block, 100, 8, mode);
            number(block, 108, 8, user);
            number(block, 116, 8, group);
            number(block, 124, 12, size);
            number(block, 136, 12, modified);
            block[156] = (byte) type;
            put(block, 157, link);
            put(block, 257, utf8(magic));
            number(block, 329, 8, major);
            number(block, 337, 8, minor);
            put(block, 345, prefix);
            return block;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(byte[] block, int at, byte[] bytes) {
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    /** Adds a header block with its checksum. */
    public OddTar block(byte[] block) {
        Arrays.fill(block, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, utf8("%06o\0 ".formatted(sum)));
        return raw(block);
    }

    /** Adds a header without bytes behind it, whatever its size says. */
    public OddTar header(Header header) {
        return block(header.fields());
    }

    /** Adds a header with bytes and padding. */
    public OddTar file(Header header, byte[] bytes) {
        return header(header.size(bytes.length)).padded(bytes);
    }

    public OddTar file(String name, String text) {
        return file(new Header(name, '0'), utf8(text));
    }

    public OddTar directory(String name) {
        return header(new Header(name, '5').mode(0755));
    }

    public OddTar symlink(String name, String target) {
        return header(new Header(name, '2').mode(0777).link(target));
    }

    public OddTar hardlink(String name, String target) {
        return header(new Header(name, '1').link(target));
    }

    /** Records of one key and value. */
    public OddTar pax(String key, byte[] value) {
        return pax('x', new LinkedHashMap<>(Map.of(key, value)));
    }

    public OddTar pax(String key, String value) {
        return pax(key, utf8(value));
    }

    /** Records about the next entry, or about all that follow. */
    public OddTar pax(char type, Map<String, byte[]> records) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        records.forEach((key, value) -> all.writeBytes(record(key, value)));
        return file(new Header("pax", type), all.toByteArray());
    }

    /** One record. */
    public static byte[] record(String key, byte[] value) {
        int rest = 3 + utf8(key).length + value.length;
        int length = rest + 1;
        while (String.valueOf(length).length() + rest != length) {
            length++;
        }
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(utf8(length + " " + key + "="));
        record.writeBytes(value);
        record.write('\n');
        return record.toByteArray();
    }

    /** Adds a name in an entry of its own, as GNU tar has it: L of the entry, K of the link. */
    public OddTar gnuName(char type, byte[] name) {
        return file(new Header("././@LongLink", type).magic(GNU), Arrays.copyOf(name, name.length + 1));
    }

    /** Bytes, and zeros up to a whole block. */
    public OddTar padded(byte[] bytes) {
        return raw(bytes).raw(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
    }

    public OddTar raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** Returns all of it with the mark of the end. */
    public byte[] end() {
        return raw(new byte[2 * BLOCK]).bytes();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
