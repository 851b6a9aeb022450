// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobStorageException;
import io.packing.store.AnswerBodies;
import io.packing.store.Attempts;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectReads;
import io.packing.store.RequestKind;
import io.packing.store.RequestedRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reader of blobs; it asks again after a broken answer. It sends the requests through the client's own pipeline: the client's methods
 * ask again by themselves, and do not tell which range came.
 */
final class AzureDownloads extends ObjectReads {
    private static final HttpHeaderName RANGE = HttpHeaderName.fromString("x-ms-range");
    static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");

    /** The most bytes that are read in vain to save a request. */
    private static final int SMALL_BYTES = 16 << 10;

    private final BlobContainerClient client;
    private final AzureCalls calls;
    private final AzureKeyspace keyspace;

    AzureDownloads(BlobContainerClient client, AzureCalls calls, AzureKeyspace keyspace) {
        this.client = client;
        this.calls = calls;
        this.keyspace = keyspace;
    }

    private HttpRequest request(String key) {
        // Without the length of a body that is not there, the client signs the word null.
        return new HttpRequest(HttpMethod.GET, client.getBlobClient(key).getBlobUrl())
                .setHeader(VERSION, client.getServiceVersion().getVersion())
                .setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
    }

    @Override
    protected <T> T ask(
            String key, RequestedRange range, boolean isPastCaches, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException {
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    HttpRequest asked = request(key).setHeader(RANGE, range.header());
                    if (isPastCaches) {
                        asked.setHeader(HttpHeaderName.CACHE_CONTROL, "no-cache")
                                .setHeader(HttpHeaderName.CONNECTION, "close");
                    }
                    try (HttpResponse answer = send(asked)) {
                        if (answer.getStatusCode() == RANGE_NOT_SATISFIABLE) {
                            range.none();
                            return none;
                        }
                        refuse(answer);
                        @Nullable String found = answer.getHeaderValue(HttpHeaderName.CONTENT_RANGE);
                        InputStream stream = answer.getBodyAsInputStreamSync();
                        T taken = body.take(stream, range.bytes(found, length(answer), attempt));
                        end(stream);
                        return taken;
                    }
                },
                moved);
    }

    private HttpResponse send(HttpRequest request) {
        return client.getHttpPipeline().sendSync(request, Context.NONE);
    }

    private static long length(HttpResponse answer) {
        return Optional.ofNullable(answer.getHeaderValue(HttpHeaderName.CONTENT_LENGTH))
                .map(Long::parseLong)
                .orElse(-1L);
    }

    /** Fails as the client would after such an answer. */
    static void refuse(HttpResponse answer) {
        int status = answer.getStatusCode();
        if (status < 200 || status >= 300) {
            throw new BlobStorageException("status %d".formatted(status), answer, null);
        }
    }

    /** Notes the end of the bytes, which have been read: the connection can be used again. */
    private static void end(InputStream stream) throws IOException {
        try {
            int unused = stream.read();
        } catch (IOException e) {
            throw new Attempts.Transient("the answer has no end: " + e.getMessage(), false, e);
        }
    }

    /**
     * Reads the last bytes of an object. This store knows no ranges from the end: a small object comes as a whole, and of another one its
     * length is asked for.
     */
    @Override
    protected ByteBuffer tail(String key, int length) throws IOException {
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        if (length <= SMALL_BYTES) {
            Optional<ByteBuffer> small = beginning(key, length);
            if (small.isPresent()) {
                return small.get();
            }
        }
        long size = keyspace.attributes(key)
                .orElseThrow(() -> new ObjectNotFoundException(
                        "get the last %d bytes of %s: no such object".formatted(length, key)))
                .length();
        int count = (int) Math.min(size, length);
        return range(key, size - count, count);
    }

    /** Returns the whole object if it has at most so many bytes. */
    private Optional<ByteBuffer> beginning(String key, int length) throws IOException {
        String what = "get the last %d bytes of %s".formatted(length, key);
        return calls.run(
                RequestKind.GET,
                what,
                attempt -> {
                    HttpRequest request = request(key).setHeader(RANGE, "bytes=0-" + (length - 1));
                    try (HttpResponse answer = send(request)) {
                        if (answer.getStatusCode() == RANGE_NOT_SATISFIABLE) {
                            return Optional.of(ByteBuffer.allocate(0));
                        }
                        refuse(answer);
                        long size = length(answer);
                        @Nullable String range = answer.getHeaderValue(HttpHeaderName.CONTENT_RANGE);
                        boolean isWhole = range == null || range.equals("bytes 0-%d/%d".formatted(size - 1, size));
                        if (!isWhole || size < 0 || size > length) {
                            return Optional.empty();
                        }
                        InputStream stream = answer.getBodyAsInputStreamSync();
                        ByteBuffer bytes = AnswerBodies.read(stream, (int) size, what);
                        end(stream);
                        return Optional.of(bytes);
                    }
                },
                found -> found.map(ByteBuffer::remaining).orElse(0));
    }

    @Override
    protected void whole(String key, FileChannel target) throws IOException {
        String what = "download " + key;
        long unused = calls.run(
                RequestKind.GET,
                what,
                attempt -> {
                    target.truncate(0);
                    try (HttpResponse answer = send(request(key))) {
                        refuse(answer);
                        InputStream stream = answer.getBodyAsInputStreamSync();
                        long copied = AnswerBodies.copy(stream, length(answer), target, what);
                        end(stream);
                        return copied;
                    }
                },
                bytes -> bytes);
    }
}
