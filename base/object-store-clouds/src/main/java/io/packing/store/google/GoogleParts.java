// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.EmptyContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpContent;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.InputStreamContent;
import com.google.api.client.http.json.JsonHttpContent;
import com.google.api.services.storage.model.StorageObject;
import io.packing.store.Attempts;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.SentStream;
import io.packing.store.UploadSource;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The creation of large objects by resumable uploads: a session, and a request for each part. After a failure the store tells how much it
 * has, and the part goes on there.
 */
final class GoogleParts {
    private static final Logger LOG = LoggerFactory.getLogger(GoogleParts.class);
    private static final int RESUME = 308;
    /** The parts of a resumable upload are multiples of this, but the last one. */
    private static final long UNIT = 256 << 10;

    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern KEPT = Pattern.compile("bytes=0-([0-9]{1,18})");

    private final GoogleConnection connection;
    private final String bucket;
    private final long partBytes;
    private final GoogleCalls calls;
    private final GoogleUploads uploads;

    /** @param most bytes of a part */
    GoogleParts(GoogleConnection connection, String bucket, long most, GoogleCalls calls, GoogleUploads uploads) {
        this.connection = connection;
        this.bucket = bucket;
        this.partBytes = Math.max(UNIT, most / UNIT * UNIT);
        this.calls = calls;
        this.uploads = uploads;
    }

    /**
     * The state of an upload at the store.
     *
     * @param kept bytes
     * @param made the object, once it has all bytes
     */
    private record State(long kept, Optional<StorageObject> made) {}

    void put(String key, UploadSource source, long length, OptionalInt crc32c, PutCondition condition)
            throws IOException {
        // Parts have no checksums of their own.
        int crc = crc32c.isPresent() ? crc32c.getAsInt() : crc32c(source, length);
        StorageObject object = uploads.described(key, OptionalInt.of(crc));
        String session = calls.run(
                RequestKind.PUT,
                "start resumable put " + key,
                attempt -> GoogleCalls.ask(() -> start(object, length, condition)));
        boolean complete = false;
        try {
            State state = new State(0, Optional.empty());
            while (state.made().isEmpty()) {
                long from = state.kept();
                long to = Math.min(length, from + partBytes);
                state = calls.run(
                        RequestKind.PUT,
                        "put bytes %d to %d of %s".formatted(from, to, key),
                        attempt -> attempt == 1
                                ? part(session, source, from, to, length)
                                : goOn(session, source, to, length),
                        done -> to - from);
            }
            uploads.check(object, state.made().get(), crc);
            complete = true;
        } finally {
            if (!complete) {
                cancel(key, session);
            }
        }
    }

    private static int crc32c(UploadSource source, long length) throws IOException {
        try (SentStream read = new SentStream(source.open(0), length)) {
            long unused = read.transferTo(OutputStream.nullOutputStream());
            return read.crc32c();
        }
    }

    private String start(StorageObject object, long length, PutCondition condition) throws IOException {
        GenericUrl url = new GenericUrl(connection.root() + "upload/storage/v1/b/" + bucket + "/o");
        url.put("uploadType", "resumable");
        url.put("name", object.getName());
        if (condition == PutCondition.IF_ABSENT) {
            url.put("ifGenerationMatch", "0");
        }
        HttpRequest request = connection
                .client()
                .getRequestFactory()
                .buildPostRequest(url, new JsonHttpContent(connection.client().getJsonFactory(), object));
        request.getHeaders().set("X-Upload-Content-Type", GoogleUploads.TYPE).set("X-Upload-Content-Length", length);
        HttpResponse answer = request.execute();
        try {
            String session = answer.getHeaders().getLocation();
            if (session == null) {
                throw new IOException("the store began no session");
            }
            return session;
        } finally {
            answer.ignore();
        }
    }

    /** Sends what the store lacks of a part. */
    private State goOn(String session, UploadSource source, long to, long length) throws IOException {
        State state = GoogleCalls.ask(() -> send(session, new EmptyContent(), "bytes */" + length));
        return state.made().isPresent() || state.kept() >= to ? state : part(session, source, state.kept(), to, length);
    }

    private State part(String session, UploadSource source, long from, long to, long length) throws IOException {
        try (SentStream sent = new SentStream(source.open(from), to - from)) {
            InputStreamContent content = new InputStreamContent(GoogleUploads.TYPE, sent).setLength(to - from);
            String range = "bytes %d-%d/%d".formatted(from, to - 1, length);
            try {
                return GoogleCalls.ask(() -> send(session, content, range));
            } catch (GoogleCalls.Failed e) {
                if (sent.failure().isPresent()) {
                    throw sent.failure().get();
                }
                throw e;
            }
        }
    }

    private State send(String session, HttpContent content, String range) throws IOException {
        HttpRequest request = connection.client().getRequestFactory().buildPutRequest(new GenericUrl(session), content);
        request.getHeaders().setContentRange(range);
        // The status by which the store asks for more is elsewhere a redirection.
        request.setFollowRedirects(false).setThrowExceptionOnExecuteError(false);
        request.setParser(connection.client().getObjectParser());
        HttpResponse answer = request.execute();
        if (answer.isSuccessStatusCode()) {
            StorageObject made = answer.parseAs(StorageObject.class);
            return new State(GoogleKeyspace.length(made), Optional.of(made));
        }
        if (answer.getStatusCode() != RESUME) {
            throw new HttpResponseException(answer);
        }
        try {
            return new State(keptBy(answer), Optional.empty());
        } finally {
            answer.ignore();
        }
    }

    private static long keptBy(HttpResponse answer) throws IOException {
        String range = answer.getHeaders().getRange();
        if (range == null) {
            return 0;
        }
        Matcher kept = KEPT.matcher(range);
        if (!kept.matches()) {
            throw new Attempts.Transient("the store answered '%s'".formatted(range), false, null);
        }
        return Long.parseLong(kept.group(1)) + 1;
    }

    /** Tries to end a session. The store forgets it after a week, and bills nothing for it. */
    private void cancel(String key, String session) {
        try {
            boolean unused = calls.within(CANCEL_TIMEOUT)
                    .run(
                            RequestKind.DELETE,
                            "cancel resumable put " + key,
                            attempt -> GoogleCalls.ask(() -> {
                                HttpRequest request = connection
                                        .client()
                                        .getRequestFactory()
                                        .buildDeleteRequest(new GenericUrl(session));
                                request.setThrowExceptionOnExecuteError(false)
                                        .execute()
                                        .disconnect();
                                return true;
                            }));
        } catch (IOException e) {
            LOG.info("the upload session of {} is not cancelled, and ends by itself", key, e);
        }
    }
}
