// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.OptionalInt;

/** The CRC32C checksums of whole objects. */
public final class Checksums {
    private Checksums() {}

    /** Refuses a file that does not match its checksum. */
    public static void check(Path file, OptionalInt wanted, int found) throws IOException {
        if (wanted.isPresent() && wanted.getAsInt() != found) {
            throw new IOException("%s has crc %08x, want %08x: it was changed, or the disk is failing"
                    .formatted(file, found, wanted.getAsInt()));
        }
    }

    /** Returns a checksum in the form of the headers of S3 and Google Cloud Storage. */
    public static String base64(int crc32c) {
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(Integer.BYTES).putInt(crc32c).array());
    }
}
