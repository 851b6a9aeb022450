// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The server-side encryption that new objects of a bucket ask for.
 *
 * @param algorithm as S3 names it; empty: that of the bucket
 * @param key id, alias or ARN of a KMS key; empty: that of the account
 * @param bucketKey whether KMS gives one key for many objects; absent: as the bucket says
 */
public record ServerEncryption(String algorithm, String key, Optional<Boolean> bucketKey) {
    /** The encryption that the bucket has by default. */
    public static final ServerEncryption OF_BUCKET = new ServerEncryption("", "", Optional.empty());

    private static final String KMS = "aws:kms";
    private static final Set<String> ALGORITHMS = Set.of("", "AES256", KMS, "aws:kms:dsse");

    static final Option<String> ALGORITHM = new Option<>(
            "packing.s3.sse.mode",
            "",
            "Server-side encryption of new objects: AES256, aws:kms or aws:kms:dsse; empty: as the bucket says.",
            ServerEncryption::known);

    static final Option<String> KEY = new Option<>(
            "packing.s3.sse.kms.key", "", "Id, alias or ARN of the KMS key; empty: the account's own.", Parsers::text);

    static final Option<Optional<Boolean>> BUCKET_KEY = new Option<>(
            "packing.s3.sse.bucket.key",
            "",
            "Whether objects share a key of the bucket, so that KMS is asked less often; empty: as the bucket says.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Parsers.flag(text)));

    static final List<Option<?>> OPTIONS = List.of(ALGORITHM, KEY, BUCKET_KEY);

    public ServerEncryption {
        if (!key.isEmpty() && !algorithm.startsWith(KMS)) {
            throw new IllegalArgumentException(
                    "option packing.s3.sse.kms.key: packing.s3.sse.mode is '%s'; want aws:kms or aws:kms:dsse beside it"
                            .formatted(algorithm));
        }
        if (key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "option packing.s3.sse.kms.key: a key's name is of visible ASCII letters");
        }
        if (bucketKey.isPresent() && !algorithm.equals(KMS)) {
            throw new IllegalArgumentException(
                    "option packing.s3.sse.bucket.key: packing.s3.sse.mode is '%s'; want aws:kms beside it"
                            .formatted(algorithm));
        }
    }

    static ServerEncryption from(Options options) {
        return new ServerEncryption(options.get(ALGORITHM), options.get(KEY), options.get(BUCKET_KEY));
    }

    private static String known(String text) {
        if (!ALGORITHMS.contains(text)) {
            throw new IllegalArgumentException("expected AES256, aws:kms or aws:kms:dsse");
        }
        return text;
    }

    /** Returns the headers of a request that creates an object. */
    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!algorithm.isEmpty()) {
            headers.put("x-amz-server-side-encryption", algorithm);
        }
        if (!key.isEmpty()) {
            headers.put("x-amz-server-side-encryption-aws-kms-key-id", key);
        }
        bucketKey.ifPresent(on -> headers.put("x-amz-server-side-encryption-bucket-key-enabled", Boolean.toString(on)));
        return headers;
    }
}
