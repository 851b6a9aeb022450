// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/** The objects of others in all buckets that a store's service has and its credentials reach. Thread-safe. */
final class S3Buckets {
    private static final int KEYS_PER_REQUEST = 1_000;

    private final S3Client client;
    private final Function<String, S3Calls> callsOf;
    private final Map<String, S3Calls> calls = new ConcurrentHashMap<>();

    /** @param callsOf makes the sender of requests to a bucket */
    S3Buckets(S3Client client, Function<String, S3Calls> callsOf) {
        this.client = client;
        this.callsOf = callsOf;
    }

    private S3Calls calls(String bucket) {
        return calls.computeIfAbsent(bucket, callsOf);
    }

    ByteBuffer get(ObjectVersion object, long offset, int length) throws IOException {
        S3Downloads downloads =
                new S3Downloads(client, object.bucket(), calls(object.bucket()), Optional.of(object.version()));
        try {
            return downloads.range(object.key(), offset, length);
        } catch (PreconditionFailedException | RangeBeyondObjectException e) {
            throw ObjectChangedException.changed(object, e);
        } catch (ObjectNotFoundException e) {
            throw ObjectChangedException.gone(object, e);
        }
    }

    BucketPage list(String bucket, String prefix, Optional<String> page) throws IOException {
        ListObjectsV2Request.Builder request = ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(prefix)
                .maxKeys(KEYS_PER_REQUEST)
                // XML cannot have the control characters that keys of others may have.
                .encodingType(EncodingType.URL);
        page.ifPresent(request::continuationToken);
        ListObjectsV2Response answer = calls(bucket)
                .run(
                        RequestKind.LIST,
                        "list s3://%s/%s".formatted(bucket, prefix),
                        attempt -> client.listObjectsV2(request.build()));
        List<ObjectInfo> objects = answer.contents().stream()
                .map(each -> new ObjectInfo(each.key(), each.size(), each.eTag(), each.lastModified()))
                .toList();
        boolean more = Boolean.TRUE.equals(answer.isTruncated());
        return new BucketPage(objects, more ? Optional.ofNullable(answer.nextContinuationToken()) : Optional.empty());
    }
}
