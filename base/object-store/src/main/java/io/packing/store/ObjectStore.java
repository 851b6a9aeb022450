// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
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
 * conditional put lost), and {@link StoreUnavailableException} (retry later; the implementation has retried already). A
 * plain {@link IOException} is a failure that a retry does not mend (credentials, missing bucket), with the next step
 * in its message.
 */
public interface ObjectStore extends AutoCloseable {
    /** Returns the location in the user's form: {@code s3://bucket/prefix}, {@code file:///dir}. */
    String location();

    /** Creates the object from a file, atomically: readers see all of it or none. */
    default void put(String key, Path file, PutCondition condition) throws IOException {
        put(key, file, OptionalInt.empty(), condition);
    }

    /**
     * Creates the object from a file with a known checksum.
     *
     * @param crc32c of all its bytes, when it is known: other bytes make no object but an {@link IOException}, and the
     *     store need not read the file once more for its checksum
     */
    void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException;

    /** Creates the object from bytes, atomically. */
    void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException;

    /** Returns whether the store now takes an object of this length whose bytes come while they are sent. */
    default boolean takesStream(long length) {
        return false;
    }

    /**
     * Creates the object from a stream, atomically. It sends the bytes as they come, once: it repeats nothing, because
     * they cannot be read again. After a failure the object may exist only if the stream was read to its end.
     *
     * @throws IOException that a read of the stream threw, or one of this store's
     * @throws UntrustedStreamException when the store does not check such bytes; no other stream is taken then
     */
    default void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        throw new UntrustedStreamException("%s takes no streams".formatted(location()));
    }

    /**
     * Reads exactly {@code length} bytes from {@code offset}, with one request.
     *
     * @throws RangeBeyondObjectException when the object ends before the range does
     */
    ByteBuffer get(String key, long offset, int length) throws IOException;

    /**
     * Reads into buffers, one after the other, as many bytes as fit, with one request.
     *
     * @return the number of bytes; fewer only when the store answered with fewer. No other reader shares the bytes in
     *     the buffers
     */
    default int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        return RangeChecks.scatter(get(key, offset, RangeChecks.room(into)), into);
    }

    /**
     * Reads again after damage in an earlier answer: past caches on the way, and over another connection, as far as the
     * store's protocol can ask for it.
     */
    default ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        return get(key, offset, length);
    }

    /**
     * Opens exactly {@code length} bytes from {@code offset} for one reader, which takes them when it wants them and closes the stream. A read
     * that fails is not repeated: the reader opens the rest. A store without such answers asks for the range in pieces.
     *
     * @throws RangeBeyondObjectException when the object ends before the range does; a store that asks in pieces tells it with the last one
     */
    default InputStream open(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return new PiecedStream(this, key, offset, length);
    }

    /** Downloads the whole object into a file that does not exist yet, with one request. */
    void download(String key, Path file) throws IOException;

    /** Reads the last {@code length} bytes, or the whole object when it is shorter; one request. */
    ByteBuffer getTail(String key, int length) throws IOException;

    /** Returns length and version; empty when the object does not exist. */
    Optional<ObjectInfo> head(String key) throws IOException;

    /**
     * Returns a page of the keys with {@code prefix} after {@code startAfter} (exclusive, may be empty), in ascending
     * order of their UTF-8 bytes. An empty page is the end.
     */
    List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException;

    /** Returns whether the server of this store copies an object of this length from another store, so that no client reads its bytes. */
    default boolean takesCopies(ObjectStore from, long length) {
        return false;
    }

    /**
     * Creates an object with the key and the bytes of one of another store, atomically and by the server alone. It replaces an object
     * of this key. Only for a store whose copies this one {@link #takesCopies takes}.
     */
    default void copy(ObjectStore from, ObjectInfo object) throws IOException {
        throw new IOException("%s takes no copies of objects in %s".formatted(location(), from.location()));
    }

    /** Returns the store whose requests this one sends, without what was put around it. */
    default ObjectStore undecorated() {
        return this;
    }

    /**
     * Reads exactly {@code length} bytes of an object of others, with one request, if the store still has this version.
     *
     * @throws ObjectChangedException when the store has another version, or none
     * @throws IOException also when this store cannot ask for a version
     */
    default ByteBuffer getVersion(ObjectVersion object, long offset, int length) throws IOException {
        throw new IOException(
                "%s cannot read %s: only stores with S3's protocol have adopted objects".formatted(location(), object));
    }

    /**
     * Lists a bucket of this store's service, with one request, all keys as they are.
     *
     * @param prefix with which the keys begin, without a store's own
     * @param page from the page before; empty: the first page
     * @throws IOException also when this store has no such buckets
     */
    default BucketPage listBucket(String bucket, String prefix, Optional<String> page) throws IOException {
        throw new IOException("%s cannot list s3://%s: only mounts in stores with S3's protocol adopt objects"
                .formatted(location(), bucket));
    }

    /** Deletes objects, in as few requests as the store allows; absent keys are no error. */
    void delete(Collection<String> keys) throws IOException;

    @Override
    void close();
}
