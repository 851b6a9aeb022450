// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import com.google.common.hash.HashCode;
import java.nio.ByteBuffer;

/** The SHA-256 of bytes: a value without an array, since there is one for each file that was read. */
record Sha256(long first, long second, long third, long fourth) {
    static Sha256 of(HashCode hash) {
        ByteBuffer bytes = ByteBuffer.wrap(hash.asBytes());
        return new Sha256(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }
}
