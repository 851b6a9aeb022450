// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The creation of an object from a file unless the key is taken. An earlier attempt may have taken it although its answer was
 * lost, in this process or in one before. So the object is ours if it is as long as the file and ends with equal bytes.
 * That suffices for files with a unique end, such as blobs with their footers.
 */
public final class ExclusivePut {
    private static final int TAIL_BYTES = 4 << 10;

    private ExclusivePut() {}

    /**
     * Returns whether the object is this file now; if not, another writer has the key.
     *
     * @param crc32c of all bytes of the file, when it is known
     */
    public static boolean put(ObjectStore store, String key, Path file, OptionalInt crc32c) throws IOException {
        try {
            store.put(key, file, crc32c, PutCondition.IF_ABSENT);
            return true;
        } catch (PreconditionFailedException e) {
            return isOurs(store, key, file);
        }
    }

    private static boolean isOurs(ObjectStore store, String key, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Optional<ObjectInfo> there = store.head(key);
            if (there.isEmpty() || there.get().length() != channel.size()) {
                return false;
            }
            int tail = (int) Math.min(TAIL_BYTES, channel.size());
            return store.getTail(key, tail)
                    .equals(RangeChecks.read(channel, file.toString(), channel.size() - tail, tail));
        }
    }
}
