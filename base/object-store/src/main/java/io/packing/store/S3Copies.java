// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;

/** Copies of objects by the server, within a bucket or from another one of the same service. */
final class S3Copies {
    private final S3Client client;
    private final String bucket;
    private final S3Calls calls;

    /** @param bucket that gets the copies */
    S3Copies(S3Client client, String bucket, S3Calls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    /** Copies one object, with one request. A repeat writes equal bytes. */
    void copy(String fromBucket, String fromKey, String key) throws IOException {
        CopyObjectResponse copied = calls.run(
                RequestKind.PUT,
                "copy " + fromKey,
                attempt -> client.copyObject(request -> request.sourceBucket(fromBucket)
                        .sourceKey(fromKey)
                        .destinationBucket(bucket)
                        .destinationKey(key)));
        if (copied.copyObjectResult() == null || copied.copyObjectResult().eTag() == null) {
            // A store may begin its answer before the copy is made, and tell of a failure in the answer's body.
            throw new StoreUnavailableException("the store did not say that it has copied %s".formatted(fromKey));
        }
    }
}
