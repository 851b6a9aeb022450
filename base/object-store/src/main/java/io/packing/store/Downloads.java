// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A download into a new file, which leaves no file behind when it fails. */
public final class Downloads {
    private Downloads() {}

    /** The bytes of an object. */
    public interface Content {
        /** Writes all of them. */
        void writeTo(FileChannel target) throws IOException;
    }

    /** Makes a file of an object's bytes; it must not be there. */
    public static void into(Path file, Content content) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (channel) {
            content.writeTo(channel);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }
}
