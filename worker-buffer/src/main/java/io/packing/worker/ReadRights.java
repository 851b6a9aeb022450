// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.bdt.DeniedException;
import io.packing.bdt.ReadableBytes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A cache of users' rights on the bytes of files: one question to the master serves many reads of a file. Thread-safe.
 */
final class ReadRights {
    /** The longest time for which a right counts after the master took it away. */
    static final Duration KEEP = Duration.ofSeconds(5);

    private static final int MOST = 10_000;

    /** A question to the master, which throws when the user may not read the file. */
    interface Question {
        Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
                throws IOException;
    }

    private record Reader(String user, FilePath path, FileVersion version) {}

    private final Question master;
    private final Cache<Reader, ReadableBytes> known;

    ReadRights(Question master, LongSupplier nanoClock) {
        this.master = master;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(KEEP)
                .ticker(nanoClock::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Returns the end of the bytes that a user may read from an offset on; empty when the version is gone.
     *
     * @param path by which the user opened the file
     * @throws DeniedException when the user may not read the byte at the offset
     */
    OptionalLong readableUntil(FilePath path, FileVersion version, String user, long offset) throws IOException {
        Reader reader = new Reader(user, path, version);
        ReadableBytes before = known.getIfPresent(reader);
        if (before != null && before.tellsOf(offset) && before.endFrom(offset) > offset) {
            return OptionalLong.of(before.endFrom(offset));
        }
        // Ask also if the byte was not readable: the file may have got it since.
        Optional<ReadableBytes> now = master.readable(path, version, user, offset);
        if (now.isEmpty()) {
            return OptionalLong.empty();
        }
        known.put(reader, now.get());
        long end = now.get().endFrom(offset);
        if (end == offset) {
            throw new DeniedException(
                    "Permission denied: user=%s, the file \"%s\" does not have the byte at %d of version %s; open it again"
                            .formatted(user, path, offset, version));
        }
        return OptionalLong.of(end);
    }
}
