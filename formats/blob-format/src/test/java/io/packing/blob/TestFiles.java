// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/** Builders of test blobs and their contents. */
final class TestFiles {
    static final FileAttributes NO_ATTRIBUTES = new FileAttributes(0, 0, "", "", 0);

    private TestFiles() {}

    /** A writer of the files of a blob under construction. */
    interface Filler {
        List<PackedFile> fill(BlobWriter writer) throws IOException;
    }

    static byte[] blob(Path directory, Codec codec, Filler filler) throws IOException {
        return blob(directory, bytes -> ExtentCodec.encode(codec, bytes), filler);
    }

    static byte[] blob(Path directory, ExtentEncoder encoder, Filler filler) throws IOException {
        Path file = Files.createTempFile(directory, "blob", "");
        try (FileChannel channel = readWrite(file)) {
            BlobWriter writer = new BlobWriter(channel, encoder);
            writer.finish(filler.fill(writer));
        }
        return Files.readAllBytes(file);
    }

    static FileChannel readWrite(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    static PackedFile file(long id, String path, List<Extent> extents) {
        long length = extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        return new PackedFile(
                new FileVersion(id, id + 7),
                new FilePath(path),
                new FileAttributes(length, 1_700_000_000_000L + id, "alice", "staff", 0644),
                extents);
    }

    static PackedFile add(BlobWriter writer, long id, String path, byte[] content) throws IOException {
        return file(
                id, path, content.length == 0 ? List.of() : List.of(writer.append(id, 0, ByteBuffer.wrap(content))));
    }

    static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
