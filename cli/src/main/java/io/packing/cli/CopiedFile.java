// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A copy of a file out of a mount, piece by piece. */
final class CopiedFile {
    private static final int PIECE_BYTES = 4 << 20;

    private CopiedFile() {}

    /**
     * Writes all bytes of a file; returns how many.
     *
     * @throws FileNotFoundException when there is no such file
     */
    static long copy(PackingFileSystem mount, FilePath path, OutputStream out) throws IOException {
        FileStatus there = mount.bdt().stat(path).orElseThrow(() -> new FileNotFoundException(path + ": no such file"));
        if (there.isDirectory()) {
            throw new IllegalArgumentException("%s is a directory: packing copy copies trees".formatted(path));
        }
        try (PackingInput in = mount.open(path)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
            long at = 0;
            for (int read = in.readOnce(at, piece); read > 0; read = in.readOnce(at, piece)) {
                out.write(piece.array(), 0, piece.position());
                at += piece.position();
                piece.clear();
            }
            if (at < in.attributes().length()) {
                throw new IOException("%s ends after %,d bytes of %,d"
                        .formatted(path, at, in.attributes().length()));
            }
            return at;
        }
    }
}
