// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.blob.FileVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The file versions in blobs that a worker reads for its clients. One question to the master about the place of a
 * version serves many reads. The caller checks the client's right on the bytes before. Thread-safe.
 */
public final class StoredFiles {
    private static final Duration KEEP = Duration.ofMinutes(1);
    /** The most extents with known places, some 100 bytes each. */
    private static final long MOST_WEIGHT = 200_000;

    private final FileReader reader;
    private final Cache<FileVersion, LocatedInput> known;

    public StoredFiles(FileReader reader, LongSupplier nanoClock) {
        this.reader = reader;
        this.known = Caffeine.newBuilder()
                .maximumWeight(MOST_WEIGHT)
                .<FileVersion, LocatedInput>weigher((version, input) -> input.weight())
                .expireAfterAccess(KEEP)
                .ticker(nanoClock::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Reads bytes of one extent, checked by its checksum.
     *
     * @return at most {@code length} bytes; empty: the version is not in blobs, or has no byte at the offset
     */
    public Optional<ByteBuffer> read(FileVersion version, long offset, int length) throws IOException {
        Optional<LocatedInput> file = Optional.ofNullable(known.getIfPresent(version));
        if (file.isEmpty()) {
            file = reader.openForUsers(version);
            file.ifPresent(opened -> known.put(version, opened));
        }
        return file.isEmpty() ? Optional.empty() : read(version, file.get(), offset, length);
    }

    private Optional<ByteBuffer> read(FileVersion version, LocatedInput file, long offset, int length)
            throws IOException {
        long end = Math.min(file.attributes().length(), file.checkedEnd(offset));
        if (offset >= end) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, end - offset));
        try {
            int unused = file.read(offset, bytes);
        } catch (FileNotFoundException e) {
            // The version was deleted or overwritten: the client learns that when it locates the file again.
            known.invalidate(version);
            return Optional.empty();
        }
        return Optional.of(bytes.flip());
    }
}
