// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.util.DateTime;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.StorageObject;
import io.packing.store.Attempts;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeyspace;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.RequestKind;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The attributes, the listing and the deletion of objects of a bucket. */
final class GoogleKeyspace implements ObjectKeyspace {
    private static final int KEYS_PER_PAGE = 1_000;
    private static final int KEYS_PER_BATCH = 100;
    private static final int NOT_FOUND = 404;

    private final Storage client;
    private final String bucket;
    private final String keyPrefix;
    private final GoogleCalls calls;

    GoogleKeyspace(Storage client, String bucket, String keyPrefix, GoogleCalls calls) {
        this.client = client;
        this.bucket = bucket;
        this.keyPrefix = keyPrefix;
        this.calls = calls;
    }

    /**
     * The store's attributes of an object.
     *
     * @param generation differs with each write of the key
     * @param metadata that the writer gave it
     */
    record Attributes(long length, long generation, Instant modified, Map<String, String> metadata) {}

    /** Returns the attributes; empty when the object does not exist. */
    Optional<Attributes> attributes(String key) throws IOException {
        try {
            StorageObject found = calls.run(
                    RequestKind.HEAD,
                    "head " + key,
                    attempt -> GoogleCalls.ask(() -> client.objects()
                            .get(bucket, key)
                            .setFields("size,generation,updated,metadata")
                            .execute()));
            return Optional.of(new Attributes(
                    length(found),
                    generation(found),
                    modified(found),
                    Optional.ofNullable(found.getMetadata()).orElse(Map.of())));
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    static long length(StorageObject object) {
        return Optional.ofNullable(object.getSize()).orElse(BigInteger.ZERO).longValueExact();
    }

    static long generation(StorageObject object) {
        return Optional.ofNullable(object.getGeneration()).orElse(0L);
    }

    private static Instant modified(StorageObject object) {
        @Nullable DateTime updated = object.getUpdated();
        return updated == null ? Instant.EPOCH : Instant.ofEpochMilli(updated.getValue());
    }

    /** Asks for one key, to learn whether the bucket may be used. */
    void look() throws IOException {
        Objects unused = calls.run(
                RequestKind.LIST,
                "look for the bucket",
                attempt -> GoogleCalls.ask(() -> client.objects()
                        .list(bucket)
                        .setPrefix(keyPrefix)
                        .setMaxResults(1L)
                        .setFields("nextPageToken")
                        .execute()));
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        // The store begins at a key, and this one's caller after it.
        String start = startAfter.isEmpty() ? "" : keyPrefix + startAfter;
        long most = Math.min(limit + (start.isEmpty() ? 0L : 1L), KEYS_PER_PAGE);
        List<ObjectInfo> page = new ArrayList<>();
        @Nullable String more = null;
        do {
            @Nullable String next = more;
            Objects answer = calls.run(
                    RequestKind.LIST,
                    "list " + keyPrefix + prefix,
                    attempt -> GoogleCalls.ask(() -> {
                        Storage.Objects.List request = client.objects()
                                .list(bucket)
                                .setPrefix(keyPrefix + prefix)
                                .setMaxResults(most)
                                .setPageToken(next)
                                .setFields("items(name,size,generation,updated),nextPageToken");
                        if (!start.isEmpty()) {
                            request.setStartOffset(start);
                        }
                        return request.execute();
                    }));
            for (StorageObject object : Optional.ofNullable(answer.getItems()).orElse(List.of())) {
                String key = object.getName().substring(keyPrefix.length());
                // Consoles and other file systems leave directory markers; no key of ours ends in a slash.
                if (!key.isEmpty() && !key.endsWith("/") && !key.equals(startAfter) && page.size() < limit) {
                    page.add(new ObjectInfo(key, length(object), Long.toString(generation(object)), modified(object)));
                }
            }
            more = answer.getNextPageToken();
            // An empty page means the end to our caller, so a page must not consist of markers only.
        } while (page.isEmpty() && more != null);
        return page;
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        for (int from = 0; from < keys.size(); from += KEYS_PER_BATCH) {
            deleteBatch(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_BATCH)));
        }
    }

    private void deleteBatch(List<String> keys) throws IOException {
        boolean unused = calls.run(RequestKind.DELETE, "delete %d objects".formatted(keys.size()), attempt -> {
            List<IOException> failures = new ArrayList<>();
            Answers answers = new Answers(failures);
            GoogleCalls.ask(() -> {
                BatchRequest batch = client.batch();
                for (String key : keys) {
                    client.objects().delete(bucket, key).queue(batch, answers);
                }
                batch.execute();
                return true;
            });
            if (!failures.isEmpty()) {
                throw failures.get(0);
            }
            if (answers.count < keys.size()) {
                throw new Attempts.Transient(
                        "%d of %d deletes were answered".formatted(answers.count, keys.size()), false, null);
            }
            return true;
        });
    }

    /** The answers to the deletes of a batch. */
    private static final class Answers extends JsonBatchCallback<Void> {
        private final List<IOException> failures;
        private int count;

        private Answers(List<IOException> failures) {
            this.failures = failures;
        }

        @Override
        public void onSuccess(Void nothing, HttpHeaders headers) {
            count++;
        }

        @Override
        public void onFailure(GoogleJsonError error, HttpHeaders headers) {
            count++;
            int code = error.getCode();
            String message = "%d %s".formatted(code, error.getMessage());
            if (code == 429 || code == 503) {
                failures.add(new Attempts.Transient("throttled (%s)".formatted(message), true, null));
            } else if (code >= 500 || code == 408) {
                failures.add(new Attempts.Transient("server error " + message, false, null));
            } else if (code != NOT_FOUND) {
                failures.add(new IOException("an object was not deleted: " + message));
            }
        }
    }
}
