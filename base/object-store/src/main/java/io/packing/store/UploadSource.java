// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of an object to be stored, which each attempt reads anew. */
public interface UploadSource {
    /** Opens the bytes from an offset on. */
    InputStream open(long offset) throws IOException;

    static UploadSource of(byte[] bytes) {
        return offset -> new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset);
    }

    static UploadSource of(Path file) {
        return offset -> Channels.newInputStream(
                FileChannel.open(file, StandardOpenOption.READ).position(offset));
    }
}
