// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Meaningless content for files that a trace found. */
final class InitialContent {
    private static final int CHUNK = 1 << 20;

    private InitialContent() {}

    /** Makes a file; returns its length. */
    static long write(Path path, InitialFile file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            long content = Math.min(file.size(), file.readTo());
            ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, Math.max(1, content)));
            for (long left = content; left > 0; ) {
                chunk.clear().limit((int) Math.min(chunk.capacity(), left));
                left -= channel.write(chunk);
            }
            ReplayedFiles.extend(channel, file.size());
        }
        return file.size();
    }
}
