// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

/**
 * The CRC of two runs of bytes, one behind the other, from the CRC of each. A CRC with reflected bits, whose start and end are inverted, is
 * linear: zeros behind a run multiply its CRC by a power of x modulo the polynomial.
 */
final class CrcCombination {
    private static final long CRC32 = 0xedb88320L;
    private static final long CRC32C = 0x82f63b78L;

    private final long polynomial;
    private final int width;

    private CrcCombination(long polynomial, int width) {
        this.polynomial = polynomial;
        this.width = width;
    }

    /** @throws IllegalArgumentException when the checksum is no CRC */
    static CrcCombination of(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case CRC32 -> new CrcCombination(CRC32, 32);
            case CRC32C -> new CrcCombination(CRC32C, 32);
            case CRC64NVME -> new CrcCombination(Crc64Nvme.POLYNOMIAL, 64);
            case SHA1, SHA256 -> throw new IllegalArgumentException(algorithm + " is no CRC");
        };
    }

    /** Returns the CRC of both runs. */
    long combine(long first, long second, long secondBytes) {
        return multiply(power(secondBytes * 8), first) ^ second;
    }

    /** Returns x to a power, modulo the polynomial, with the coefficient of 1 in the highest bit. */
    private long power(long exponent) {
        long result = 1L << (width - 1);
        long factor = 1L << (width - 2);
        for (long left = exponent; left > 0; left >>= 1) {
            if ((left & 1) != 0) {
                result = multiply(result, factor);
            }
            factor = multiply(factor, factor);
        }
        return result;
    }

    private long multiply(long a, long b) {
        long product = 0;
        long shifted = b;
        for (int bit = width - 1; bit >= 0; bit--) {
            if ((a >>> bit & 1) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ polynomial : shifted >>> 1;
        }
        return product;
    }
}
