// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.AbstractInputStreamContent;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.StorageObject;
import io.packing.store.Attempts;
import io.packing.store.Checksums;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.SentStream;
import io.packing.store.StoreUnavailableException;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import io.packing.store.UploadSource;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * The creation of objects, by one request for each. The attributes go before the bytes, with the CRC32C if it is known; then the
 * store refuses other bytes. Else its answer has the CRC32C of what it took, and an object of other bytes is deleted.
 *
 * <p>A repetition of a conditional put may meet its own lost success. So the object has a token in its metadata, which tells if the
 * lost request or another writer made it.
 */
final class GoogleUploads {
    static final String TOKEN = "packing-token";
    static final String TYPE = "application/octet-stream";
    private static final int CONDITION_FAILED = 412;

    private final Storage client;
    private final String bucket;
    private final GoogleCalls calls;
    private final GoogleKeyspace keyspace;
    private final RandomGenerator random;

    GoogleUploads(Storage client, String bucket, GoogleCalls calls, GoogleKeyspace keyspace, RandomGenerator random) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
        this.keyspace = keyspace;
        this.random = random;
    }

    /** The body of a request. */
    private static final class Body extends AbstractInputStreamContent {
        private final SentStream stream;
        private final long length;

        private Body(SentStream stream, long length) {
            super(TYPE);
            this.stream = stream;
            this.length = length;
        }

        @Override
        public InputStream getInputStream() {
            return stream;
        }

        @Override
        public long getLength() {
            return length;
        }

        @Override
        public boolean retrySupported() {
            return false;
        }
    }

    /** Returns what is said of an object before its bytes. */
    StorageObject described(String key, OptionalInt crc32c) {
        StorageObject object = new StorageObject().setName(key).setContentType(TYPE);
        crc32c.ifPresent(crc -> object.setCrc32c(Checksums.base64(crc)));
        return object.setMetadata(Map.of(TOKEN, "%016x%016x".formatted(random.nextLong(), random.nextLong())));
    }

    /** @param crc32c of all bytes, when it is known; the store refuses others */
    void put(String key, UploadSource source, long length, OptionalInt crc32c, PutCondition condition)
            throws IOException {
        StorageObject object = described(key, crc32c);
        boolean unused = calls.run(
                RequestKind.PUT,
                "put " + key,
                attempt -> {
                    try (InputStream bytes = source.open(0)) {
                        SentStream sent = new SentStream(bytes, length);
                        send(object, sent, length, crc32c, condition, attempt);
                        return true;
                    }
                },
                done -> length);
    }

    private void send(
            StorageObject object, SentStream sent, long length, OptionalInt crc32c, PutCondition condition, int attempt)
            throws IOException {
        StorageObject answer;
        try {
            answer = GoogleCalls.ask(
                    () -> insert(object, sent, length, condition).execute());
        } catch (GoogleCalls.Failed e) {
            if (sent.failure().isPresent()) {
                throw sent.failure().get();
            }
            if (sent.left() == 0) {
                checkRead(object.getName(), sent, crc32c);
            }
            if (attempt > 1 && e.status() == CONDITION_FAILED && isOurs(object, length)) {
                return;
            }
            throw e;
        }
        checkRead(object.getName(), sent, crc32c);
        if (!isWhole(sent, answer)) {
            delete(object.getName(), answer);
            throw new Attempts.Transient("the store has other bytes than were sent", false, null);
        }
    }

    private static void checkRead(String key, SentStream sent, OptionalInt crc32c) throws IOException {
        if (crc32c.isPresent() && crc32c.getAsInt() != sent.crc32c()) {
            throw new IOException("put %s: the file has crc %08x, want %08x: it was changed, or the disk is failing"
                    .formatted(key, sent.crc32c(), crc32c.getAsInt()));
        }
    }

    private static boolean isWhole(SentStream sent, StorageObject answer) {
        return sent.left() == 0 && Checksums.base64(sent.crc32c()).equals(answer.getCrc32c());
    }

    /** Deletes an object that has other bytes than it should, and fails. */
    void check(StorageObject wanted, StorageObject made, int crc32c) throws IOException {
        String right = Checksums.base64(crc32c);
        if (!right.equals(made.getCrc32c())) {
            delete(wanted.getName(), made);
            throw new IOException(
                    "put %s: the store has the checksum %s, want %s: the file was changed, or its disk is failing"
                            .formatted(wanted.getName(), made.getCrc32c(), right));
        }
    }

    private Storage.Objects.Insert insert(StorageObject object, SentStream sent, long length, PutCondition condition)
            throws IOException {
        Storage.Objects.Insert insert =
                client.objects().insert(bucket, object, new Body(sent, length)).setFields("crc32c,generation");
        if (condition == PutCondition.IF_ABSENT) {
            insert.setIfGenerationMatch(0L);
        }
        insert.getMediaHttpUploader().setDirectUploadEnabled(true).setDisableGZipContent(true);
        return insert;
    }

    /** Returns whether an object is there that an earlier attempt made. */
    boolean isOurs(StorageObject object, long length) throws IOException {
        return keyspace.attributes(object.getName())
                .filter(there -> there.length() == length)
                .map(there -> there.metadata().get(TOKEN))
                .filter(token -> token.equals(object.getMetadata().get(TOKEN)))
                .isPresent();
    }

    /** Deletes what an answer says that was made, unless it was replaced since. */
    private void delete(String key, StorageObject made) throws IOException {
        boolean unused = calls.within(Duration.ZERO)
                .run(
                        RequestKind.DELETE,
                        "delete " + key,
                        attempt -> GoogleCalls.ask(() -> {
                            client.objects()
                                    .delete(bucket, key)
                                    .setIfGenerationMatch(GoogleKeyspace.generation(made))
                                    .execute();
                            return true;
                        }));
    }

    /** Sends a stream, once. */
    void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        SentStream sent = new SentStream(body.bytes(), body.length());
        StorageObject object = described(key, OptionalInt.empty());
        StorageObject answer;
        try {
            answer = calls.within(Duration.ZERO)
                    .run(
                            RequestKind.PUT,
                            "put %s while its bytes come".formatted(key),
                            attempt -> GoogleCalls.ask(() -> insert(object, sent, body.length(), condition)
                                    .execute()),
                            done -> body.length());
        } catch (StoreUnavailableException e) {
            boolean isTaken =
                    condition == PutCondition.IF_ABSENT && sent.failure().isEmpty() && isAnothers(object, body, sent);
            throw isTaken
                    ? new PreconditionFailedException("put %s: the object already exists".formatted(key), e)
                    : ofTheReader(sent, e);
        } catch (IOException e) {
            throw ofTheReader(sent, e);
        }
        if (!isWhole(sent, answer)) {
            UntrustedStreamException unchecked = new UntrustedStreamException(
                    "%s was not kept as it was sent: the store has the checksum %s".formatted(key, answer.getCrc32c()));
            try {
                delete(key, answer);
            } catch (IOException e) {
                // The object belongs to no file: a collection deletes it.
                unchecked.addSuppressed(e);
            }
            throw unchecked;
        }
    }

    /**
     * Returns whether the object is another's for certain. A store may refuse a put before its bytes, and end the connection; then the
     * refusal is lost if the client was still sending.
     */
    private boolean isAnothers(StorageObject object, StreamedBody body, SentStream sent) {
        try {
            Optional<GoogleKeyspace.Attributes> there = keyspace.attributes(object.getName());
            return there.isPresent() && (sent.left() > 0 || !isOurs(object, body.length()));
        } catch (IOException e) {
            // The first failure says enough.
            return false;
        }
    }

    /** Returns the failure of the stream if one cut the put, otherwise that of the store. */
    private static IOException ofTheReader(SentStream sent, IOException e) {
        sent.failure().ifPresent(failure -> failure.addSuppressed(e));
        return sent.failure().orElse(e);
    }
}
