// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes of small files as a whole: a crash or a power loss leaves the old content or the new one. */
public final class DurableFile {
    private DurableFile() {}

    /** Writes a text in UTF-8, in place of the old one. For one writer at a time. */
    public static void write(Path directory, String name, String text) throws IOException {
        Path written = directory.resolve(name + ".new");
        try (FileChannel channel = OwnerOnly.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                int unused = channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        DurableDirectory.sync(directory);
    }
}
