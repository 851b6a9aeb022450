package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A flat map from keys to immutable objects, below one prefix of one bucket or directory.
 *
 * <p>Keys are relative to that prefix, use {@code /} as separator and are never empty. Reads see every completed put.
 * Implementations are thread-safe. Failures: {@link ObjectNotFoundException}, {@link PreconditionFailedException} (a
 * conditional put lost), {@link StoreUnavailableException} (retry later; the implementation already retried), and plain
 * {@link IOException} for what a retry will not mend (credentials, missing bucket), with what to do in its message.
 */
public interface ObjectStore extends AutoCloseable {
    /** Where this store is, as the user wrote it: {@code s3://bucket/prefix}, {@code file:///dir}. */
    String location();

    /** Creates the object from a file, atomically: readers see all of it or nothing. */
    default void put(String key, Path file, PutCondition condition) throws IOException {
        put(key, file, OptionalInt.empty(), condition);
    }

    /**
     * The same from a file that was read before.
     *
     * @param crc32c of all its bytes, when it is known: other bytes make no object but an {@link IOException}, and the file
     *     need not be read once more for its checksum
     */
    void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException;

    /** Creates the object from bytes, atomically. */
    void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException;

    /**
     * Exactly {@code length} bytes from {@code offset}, with one request.
     *
     * @throws RangeBeyondObjectException when the object ends before the range does
     */
    ByteBuffer get(String key, long offset, int length) throws IOException;

    /**
     * The same into buffers, one after the other, as many bytes as they have room for.
     *
     * @return how many bytes there were; fewer only when the store answered with fewer. What is in the buffers is theirs alone.
     */
    default int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        return Ranges.scatter(get(key, offset, Ranges.room(into)), into);
    }

    /**
     * The same after the bytes of an earlier answer turned out to be damaged: past caches on the way, and each time over
     * another connection, as far as the store's protocol has words for it.
     */
    default ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        return get(key, offset, length);
    }

    /** Downloads the whole object into a file that does not exist yet, with one request. */
    void download(String key, Path file) throws IOException;

    /** The last {@code length} bytes, or the whole object when it is shorter; one request. */
    ByteBuffer getTail(String key, int length) throws IOException;

    /** Length and version, or empty when there is no such object. */
    Optional<ObjectInfo> head(String key) throws IOException;

    /**
     * A page of the keys that start with {@code prefix} and come after {@code startAfter} (exclusive, may be empty), in
     * ascending order of their UTF-8 bytes. An empty page is the end.
     */
    List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException;

    /** Deletes objects, in as few requests as the store allows; absent keys are no error. */
    void delete(Collection<String> keys) throws IOException;

    @Override
    void close();
}
