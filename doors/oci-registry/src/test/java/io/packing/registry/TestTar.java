// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/** A tar archive, entry by entry, right or wrong as a test wants it. */
public final class TestTar {
    private static final int BLOCK = 512;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Adds a header with a checksum, after a change of the header. */
    public TestTar header(String name, char type, long size, Consumer<byte[]> change) {
        byte[] block = new byte[BLOCK];
        put(block, 0, name);
        put(block, 100, "0000644\0");
        put(block, 108, "0000000\0");
        put(block, 116, "0000000\0");
        put(block, 124, "%011o\0".formatted(size));
        put(block, 136, "00000000000\0");
        block[156] = (byte) type;
        put(block, 257, "ustar\0" + "00");
        change.accept(block);
        put(block, 148, "        ");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, "%06o\0 ".formatted(sum));
        return raw(block);
    }

    public static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    /** Adds an ordinary header. */
    public TestTar header(String name, char type, long size) {
        return header(name, type, size, block -> {});
    }

    /** Adds a regular file. */
    public TestTar file(String name, byte[] content) {
        return header(name, '0', content.length).padded(content);
    }

    /** Adds a PAX header for the next entry. */
    public TestTar pax(String key, String value) {
        return pax('x', key, value);
    }

    /** Adds a PAX header of one record, about the next entry or about all later ones. */
    public TestTar pax(char type, String key, String value) {
        String rest = " " + key + "=" + value + "\n";
        int length = rest.length() + 1;
        while (String.valueOf(length).length() + rest.length() != length) {
            length++;
        }
        byte[] record = (length + rest).getBytes(StandardCharsets.UTF_8);
        return header("pax", type, record.length).padded(record);
    }

    /** A PAX header with a record as it is given. */
    public TestTar record(String record) {
        byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
        return header("pax", 'x', bytes.length).padded(bytes);
    }

    /** Bytes, and zeros up to a whole block. */
    public TestTar padded(byte[] bytes) {
        return raw(bytes).raw(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
    }

    public TestTar raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** Returns the tar with the end of an archive. */
    public byte[] end() {
        return raw(new byte[2 * BLOCK]).bytes();
    }

    /** Bytes as clients compress layers. */
    public static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(bytes);
        }
        return zipped.toByteArray();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
