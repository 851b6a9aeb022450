// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import java.util.zip.Checksum;

/** The checksum CRC-64/NVME: its polynomial is 0xAD93D23594C93659, bits reflected, start and end inverted. Confined to one thread. */
final class Crc64Nvme implements Checksum {
    /** The polynomial with its bits reflected. */
    static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L;

    private static final int STEP = 8;
    private static final long[][] TABLES = tables();

    private long crc = -1;

    /** Makes tables by which eight bytes are taken at once. */
    private static long[][] tables() {
        long[][] tables = new long[STEP][256];
        for (int i = 0; i < 256; i++) {
            long value = i;
            for (int bit = 0; bit < 8; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : value >>> 1 ^ POLYNOMIAL;
            }
            tables[0][i] = value;
        }
        for (int i = 0; i < 256; i++) {
            for (int table = 1; table < STEP; table++) {
                long before = tables[table - 1][i];
                tables[table][i] = before >>> 8 ^ tables[0][(int) (before & 0xff)];
            }
        }
        return tables;
    }

    @Override
    public void update(int b) {
        crc = crc >>> 8 ^ TABLES[0][(int) (crc ^ b) & 0xff];
    }

    @Override
    public void update(byte[] bytes, int offset, int count) {
        long now = crc;
        int at = offset;
        int end = offset + count;
        while (end - at >= STEP) {
            long taken = 0;
            for (int i = 0; i < STEP; i++) {
                taken |= (bytes[at + i] & 0xffL) << (8 * i);
            }
            now ^= taken;
            long next = 0;
            for (int i = 0; i < STEP; i++) {
                next ^= TABLES[STEP - 1 - i][(int) (now >>> (8 * i)) & 0xff];
            }
            now = next;
            at += STEP;
        }
        crc = now;
        while (at < end) {
            update(bytes[at++] & 0xff);
        }
    }

    @Override
    public long getValue() {
        return ~crc;
    }

    @Override
    public void reset() {
        crc = -1;
    }
}
