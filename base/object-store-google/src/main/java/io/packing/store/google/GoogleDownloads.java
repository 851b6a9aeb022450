// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import com.google.api.services.storage.Storage;
import io.packing.store.AnswerBodies;
import io.packing.store.Attempts;
import io.packing.store.RangeChecks;
import io.packing.store.RequestKind;
import io.packing.store.RequestedRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;

/** The reader of objects; it asks again after a broken answer. */
final class GoogleDownloads {
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final Storage client;
    private final String bucket;
    private final GoogleCalls calls;

    GoogleDownloads(Storage client, String bucket, GoogleCalls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    /** An answer with bytes, whose connection is given up unless all bytes were read. */
    private record Answer(HttpResponse response, InputStream bytes) implements AutoCloseable {
        static Answer to(Storage.Objects.Get request) throws IOException {
            return GoogleCalls.ask(() -> {
                request.setReturnRawInputStream(true);
                HttpResponse response = request.executeMedia();
                return new Answer(
                        response, Optional.ofNullable(response.getContent()).orElse(InputStream.nullInputStream()));
            });
        }

        long length() {
            return Optional.ofNullable(response.getHeaders().getContentLength()).orElse(-1L);
        }

        /** Notes the end of the bytes, which have been read: the connection can be used again. */
        void end() throws IOException {
            int unused = GoogleCalls.ask(bytes::read);
        }

        @Override
        public void close() throws IOException {
            GoogleCalls.ask(() -> {
                response.disconnect();
                return true;
            });
        }
    }

    private Storage.Objects.Get request(String key) throws IOException {
        Storage.Objects.Get request = client.objects().get(bucket, key);
        // The store would unpack, or pack, what is not asked for as it is.
        request.getRequestHeaders().setAcceptEncoding("identity");
        return request;
    }

    private interface Asked {
        Storage.Objects.Get make() throws IOException;
    }

    /** A receiver of the body of an answer, of so many bytes. */
    private interface Body<T> {
        T take(InputStream stream, int count) throws IOException;
    }

    ByteBuffer range(String key, long offset, int length) throws IOException {
        return length == 0 ? ByteBuffer.allocate(0) : read(RequestedRange.of(key, offset, length), () -> request(key));
    }

    /** Reads a range past caches on the way, over a connection that is not used again. */
    ByteBuffer rangeAgain(String key, long offset, int length) throws IOException {
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        return read(RequestedRange.of(key, offset, length), () -> {
            Storage.Objects.Get request = request(key);
            HttpHeaders headers = request.getRequestHeaders();
            headers.setCacheControl("no-cache").set("Connection", "close");
            return request;
        });
    }

    ByteBuffer tail(String key, int length) throws IOException {
        return length == 0 ? ByteBuffer.allocate(0) : read(RequestedRange.tail(key, length), () -> request(key));
    }

    /** Reads a range straight into buffers over arrays. */
    int range(String key, long offset, List<ByteBuffer> into) throws IOException {
        int length = RangeChecks.room(into);
        if (length == 0) {
            return 0;
        }
        RequestedRange range = RequestedRange.of(key, offset, length);
        int count = ask(
                range,
                () -> request(key),
                (stream, bytes) -> {
                    AnswerBodies.fill(stream, into, range.what());
                    return bytes;
                },
                0,
                bytes -> bytes);
        into.forEach(each -> each.position(each.limit()));
        return count;
    }

    private ByteBuffer read(RequestedRange range, Asked request) throws IOException {
        return ask(
                range,
                request,
                (stream, count) -> AnswerBodies.read(stream, count, range.what()),
                ByteBuffer.allocate(0),
                ByteBuffer::remaining);
    }

    /** @param none the result when the object has none of the bytes */
    private <T> T ask(RequestedRange range, Asked asked, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException {
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    Storage.Objects.Get request = asked.make();
                    request.getRequestHeaders().setRange(range.header());
                    try (Answer answer = Answer.to(request)) {
                        String found = answer.response().getHeaders().getContentRange();
                        T taken = body.take(answer.bytes(), range.bytes(found, answer.length(), attempt));
                        answer.end();
                        return taken;
                    } catch (GoogleCalls.Failed e) {
                        if (e.status() == RANGE_NOT_SATISFIABLE) {
                            range.none();
                            return none;
                        }
                        throw e;
                    }
                },
                moved);
    }

    /** Reads the whole object; a repeated attempt starts over. */
    void whole(String key, FileChannel target) throws IOException {
        String what = "download " + key;
        long unused = calls.run(
                RequestKind.GET,
                what,
                attempt -> {
                    target.truncate(0);
                    try (Answer answer = Answer.to(request(key))) {
                        long copied = AnswerBodies.copy(answer.bytes(), answer.length(), target, what);
                        answer.end();
                        return copied;
                    }
                },
                bytes -> bytes);
    }
}
