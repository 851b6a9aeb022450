// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The bytes that a hostile client sends over one connection. Implementations are thread-safe. */
public interface Noise {
    /** The most bytes of a connection, so that none takes the time of all. */
    int MOST_BYTES = 256 << 10;

    /** Returns all bytes to send. */
    byte[] bytes(RandomGenerator random);

    /** Makes bytes without any form. */
    static byte[] random(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(MOST_BYTES) : random.nextInt(2_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Damages a third of its inputs: it changes or removes some bytes. */
    static byte[] damaged(byte[] bytes, RandomGenerator random) {
        if (bytes.length == 0 || random.nextInt(3) > 0) {
            return bytes;
        }
        byte[] damaged = Arrays.copyOf(bytes, random.nextInt(3) == 0 ? random.nextInt(bytes.length) + 1 : bytes.length);
        for (int i = random.nextInt(8); i > 0; i--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        return damaged;
    }
}
