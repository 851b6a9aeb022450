// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.packing.blob.BlobName;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers of a store that reach to the end of a blob, for readers that come back for the next bytes. One request brings a blob of any size, and
 * no byte is read before a reader wants it. An answer waits for its reader between two reads. It is closed when too many others
 * wait, or its reader has not come for a while; then the next read opens another one. Thread-safe.
 */
final class BlobStreams implements AutoCloseable {
    /** The most answers that wait. Each has a connection, and other reads need some of those. */
    static final int MOST = 16;
    /** The most bytes that a reader leaves out: they are read and dropped, which costs less than a request. */
    static final int MOST_LEFT_OUT = 4 << 20;

    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(BlobStreams.class);

    private final ObjectStore store;
    private final String prefix;
    private final Cache<Place, InputStream> waiting;
    private volatile boolean closed;

    /** The next byte of an answer. */
    private record Place(BlobName blob, long offset) {}

    BlobStreams(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
        // A bound of the cache would drop what was asked for least often, and each place is asked for once.
        this.waiting = Caffeine.newBuilder()
                .expireAfterWrite(IDLE)
                .scheduler(Scheduler.systemScheduler())
                .executor(Runnable::run)
                .<Place, InputStream>evictionListener((place, stream, cause) -> {
                    if (stream != null) {
                        close(stream);
                    }
                })
                .build();
    }

    /**
     * Reads from an offset of a blob's body into buffers over arrays, which all of them fill. The caller wants the bytes behind them soon.
     *
     * @return the number of bytes, as {@link ObjectStore#get(String, long, List)} does
     */
    int read(BlobName blob, long offset, List<ByteBuffer> into) throws IOException {
        int length = into.stream().mapToInt(ByteBuffer::remaining).sum();
        long end = offset + length;
        if (end >= blob.footerOffset() && before(blob, offset).isEmpty()) {
            return store.get(prefix + blob.key(), offset, into);
        }
        InputStream stream = waitingAt(blob, offset);
        try {
            for (ByteBuffer each : into) {
                fill(stream, each.duplicate());
            }
        } catch (IOException e) {
            close(stream);
            LOG.debug("{}: the answer of the store broke off before {}", blob, end, e);
            return store.get(prefix + blob.key(), offset, into);
        }
        into.forEach(each -> each.position(each.limit()));
        if (end < blob.footerOffset()) {
            await(new Place(blob, end), stream);
        } else {
            close(stream);
        }
        return length;
    }

    private Optional<Place> before(BlobName blob, long offset) {
        return waiting.asMap().keySet().stream()
                .filter(each ->
                        each.blob().equals(blob) && each.offset() <= offset && each.offset() + MOST_LEFT_OUT >= offset)
                .max((one, other) -> Long.compare(one.offset(), other.offset()));
    }

    private InputStream waitingAt(BlobName blob, long offset) throws IOException {
        for (Optional<Place> place = before(blob, offset); place.isPresent(); place = before(blob, offset)) {
            InputStream found = waiting.asMap().remove(place.get());
            if (found == null) {
                // Another reader has taken it.
                continue;
            }
            try {
                found.skipNBytes(offset - place.get().offset());
                return found;
            } catch (IOException e) {
                close(found);
                LOG.debug("{}: the answer of the store broke off before {}", blob, offset, e);
            }
        }
        int rest = (int) Math.min(Integer.MAX_VALUE, blob.footerOffset() - offset);
        return store.open(prefix + blob.key(), offset, rest);
    }

    private static void fill(InputStream stream, ByteBuffer into) throws IOException {
        int count = stream.readNBytes(into.array(), into.arrayOffset() + into.position(), into.remaining());
        if (count < into.remaining()) {
            throw new IOException("the answer ended %,d bytes early".formatted(into.remaining() - count));
        }
    }

    private void await(Place place, InputStream stream) {
        InputStream other = waiting.asMap().put(place, stream);
        if (other != null) {
            // Two readers are at one place: one answer is enough for the next of them.
            close(other);
        }
        dropOldest();
        if (closed) {
            close();
        }
    }

    /** Closes answers whose readers have been away for longest, if too many wait. */
    private void dropOldest() {
        int tooMany = waiting.asMap().size() - MOST;
        if (tooMany > 0) {
            waiting.policy()
                    .expireAfterWrite()
                    .orElseThrow()
                    .oldest(tooMany)
                    .keySet()
                    .forEach(this::drop);
        }
    }

    private void drop(Place place) {
        InputStream stream = waiting.asMap().remove(place);
        if (stream != null) {
            close(stream);
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            LOG.debug("an answer of the store that is not needed is not closed", e);
        }
    }

    /** Returns the number of answers that wait. */
    int waiting() {
        waiting.cleanUp();
        return waiting.asMap().size();
    }

    /** Closes all answers. A read that is under way closes its own. */
    @Override
    public void close() {
        closed = true;
        waiting.asMap().keySet().forEach(this::drop);
    }
}
