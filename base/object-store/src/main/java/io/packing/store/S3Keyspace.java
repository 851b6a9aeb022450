// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The listing and deletion of many keys of a bucket. */
final class S3Keyspace implements ObjectKeyspace {
    private static final int KEYS_PER_REQUEST = 1_000;

    private final S3Client client;
    private final String bucket;
    private final String keyPrefix;
    private final S3Calls calls;

    S3Keyspace(S3Client client, String bucket, String keyPrefix, S3Calls calls) {
        this.client = client;
        this.bucket = bucket;
        this.keyPrefix = keyPrefix;
        this.calls = calls;
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        ListObjectsV2Request.Builder request = ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(keyPrefix + prefix)
                .maxKeys(Math.min(limit, KEYS_PER_REQUEST))
                // XML cannot have the control characters that keys of other programs may have.
                .encodingType(EncodingType.URL);
        if (!startAfter.isEmpty()) {
            request.startAfter(keyPrefix + startAfter);
        }
        List<ObjectInfo> page = new ArrayList<>();
        @Nullable String more = null;
        do {
            request.continuationToken(more);
            ListObjectsV2Response answer = calls.run(
                    RequestKind.LIST,
                    "list " + keyPrefix + prefix,
                    attempt -> whole(client.listObjectsV2(request.build())));
            for (S3Object object : answer.contents()) {
                String key = object.key().substring(keyPrefix.length());
                // Consoles and other file systems leave directory markers; no key of ours ends in a slash.
                if (!key.isEmpty() && !key.endsWith("/")) {
                    page.add(new ObjectInfo(key, object.size(), object.eTag(), object.lastModified()));
                }
            }
            more = Boolean.TRUE.equals(answer.isTruncated()) ? answer.nextContinuationToken() : null;
            // An empty page means the end to our caller, so a page must not consist of markers only.
        } while (page.isEmpty() && more != null);
        return page;
    }

    /** Refuses an answer that is no listing, as the page of a proxy: the client takes any document for a listing without objects. */
    private static ListObjectsV2Response whole(ListObjectsV2Response answer) throws Attempts.Transient {
        if (answer.isTruncated() == null && answer.name() == null) {
            throw new Attempts.Transient("the answer is no listing", false, null);
        }
        return answer;
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        for (int from = 0; from < keys.size(); from += KEYS_PER_REQUEST) {
            deleteBatch(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_REQUEST)));
        }
    }

    private void deleteBatch(List<String> keys) throws IOException {
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        calls.run(RequestKind.DELETE, "delete %d objects".formatted(keys.size()), attempt -> {
            DeleteObjectsResponse answer = client.deleteObjects(request ->
                    request.bucket(bucket).delete(all -> all.objects(objects).quiet(false)));
            // A store names each object that it deleted or that is not there. A proxy's page names none.
            if (answer.deleted().isEmpty() && answer.errors().isEmpty()) {
                throw new Attempts.Transient("the answer names none of the objects", false, null);
            }
            for (S3Error error : answer.errors()) {
                if (!"NoSuchKey".equals(error.code())) {
                    throw failed(error);
                }
            }
            return answer;
        });
    }

    private static IOException failed(S3Error error) {
        String message = "delete %s: %s %s".formatted(error.key(), error.code(), error.message());
        return switch (String.valueOf(error.code())) {
            case "SlowDown", "ServiceUnavailable" -> new Attempts.Transient(message, true, null);
            case "InternalError", "RequestTimeout" -> new Attempts.Transient(message, false, null);
            default -> new IOException(message);
        };
    }
}
