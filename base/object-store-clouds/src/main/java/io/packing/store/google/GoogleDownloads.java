// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import com.google.api.services.storage.Storage;
import io.packing.store.AnswerBodies;
import io.packing.store.Attempts;
import io.packing.store.ObjectReads;
import io.packing.store.RequestKind;
import io.packing.store.RequestedRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** The reader of objects; it asks again after a broken answer. */
final class GoogleDownloads extends ObjectReads {
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

    @Override
    protected <T> T ask(
            String key, RequestedRange range, boolean isPastCaches, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException {
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    Storage.Objects.Get request = request(key);
                    HttpHeaders headers = request.getRequestHeaders();
                    headers.setRange(range.header());
                    if (isPastCaches) {
                        headers.setCacheControl("no-cache").set("Connection", "close");
                    }
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

    @Override
    protected void whole(String key, FileChannel target) throws IOException {
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
