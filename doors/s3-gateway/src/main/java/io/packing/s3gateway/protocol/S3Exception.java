// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.io.IOException;
import java.io.Serial;

/** A refusal of a request, with the code that the client gets. */
public final class S3Exception extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final S3Code code;

    public S3Exception(S3Code code, String message) {
        super(message);
        this.code = code;
    }

    public S3Exception(S3Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public S3Code code() {
        return code;
    }

    public static S3Exception noSuchBucket(String bucket) {
        return new S3Exception(S3Code.NO_SUCH_BUCKET, "the bucket %s does not exist".formatted(bucket));
    }

    public static S3Exception noSuchKey(String key) {
        return new S3Exception(S3Code.NO_SUCH_KEY, "the key %.100s does not exist".formatted(key));
    }

    public static S3Exception argument(String message) {
        return new S3Exception(S3Code.INVALID_ARGUMENT, message);
    }

    public static S3Exception request(String message) {
        return new S3Exception(S3Code.INVALID_REQUEST, message);
    }
}
