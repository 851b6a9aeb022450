// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * The creation of objects: one PUT up to the configured size, parts above it, because S3 bills every part as a PUT.
 *
 * <p>A repetition of a conditional put, or of the completion of an upload, may meet its own lost success. So the object
 * has a token in its metadata. When an answer is lost and the repeated request finds the object, the token tells if the
 * lost request or another writer made it.
 */
final class S3Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(S3Uploads.class);
    private static final String TOKEN = "packing-token";
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(10);
    private static final String ANY = "*";

    private final S3Client client;
    private final String bucket;
    private final long putSingleMax;
    private final S3Calls calls;
    private final S3Heads heads;
    private final RandomGenerator random;

    S3Uploads(S3Client client, String bucket, long putSingleMax, S3Calls calls, S3Heads heads, RandomGenerator random) {
        this.client = client;
        this.bucket = bucket;
        this.putSingleMax = putSingleMax;
        this.calls = calls;
        this.heads = heads;
        this.random = random;
    }

    /** @param crc32c of the whole body, when it is known; the server refuses another one */
    void put(String key, S3Body body, OptionalInt crc32c, PutCondition condition) throws IOException {
        String token = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        if (body.length() > putSingleMax) {
            putParts(key, body, crc32c, condition, Map.of(TOKEN, token));
        } else {
            putWhole(
                    key,
                    body,
                    crc32c,
                    condition,
                    condition == PutCondition.IF_ABSENT ? Map.of(TOKEN, token) : Map.of());
        }
    }

    private void putWhole(
            String key, S3Body body, OptionalInt crc32c, PutCondition condition, Map<String, String> metadata)
            throws IOException {
        calls.run(
                RequestKind.PUT,
                "put " + key,
                attempt -> unlessOurs(
                        key,
                        body,
                        attempt,
                        metadata,
                        () -> given(client.putObject(
                                        request -> {
                                            request.bucket(bucket)
                                                    .key(key)
                                                    .metadata(metadata)
                                                    .checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
                                            crc32c.ifPresent(crc -> request.checksumCRC32C(Checksums.base64(crc)));
                                            if (condition == PutCondition.IF_ABSENT) {
                                                request.ifNoneMatch(ANY);
                                            }
                                        },
                                        body.slice(0, body.length()))
                                .eTag())),
                done -> body.length());
    }

    /** Returns what each answer of a store to such a request has: the page of a proxy with status 200 has none, and nothing was kept. */
    private static String given(@Nullable String part) throws Attempts.Transient {
        if (part == null) {
            throw new Attempts.Transient("the answer is none of S3", false, null);
        }
        return part;
    }

    private interface Send {
        Object send() throws IOException;
    }

    /** Returns a non-null value without a meaning. */
    private Object unlessOurs(String key, S3Body body, int attempt, Map<String, String> metadata, Send send)
            throws IOException {
        try {
            return send.send();
        } catch (AwsServiceException e) {
            // A lost answer shows as a failed condition, or as an upload that is complete already.
            boolean mayBeOurs = attempt > 1 && (e.statusCode() == 412 || e.statusCode() == 404);
            if (mayBeOurs && isOurs(key, body.length(), metadata)) {
                return key;
            }
            throw e;
        }
    }

    private boolean isOurs(String key, long length, Map<String, String> metadata) throws IOException {
        return heads.of(key)
                .filter(there -> there.length() == length)
                .map(there -> there.metadata().get(TOKEN))
                .filter(token -> token.equals(metadata.get(TOKEN)))
                .isPresent();
    }

    private void putParts(
            String key, S3Body body, OptionalInt crc32c, PutCondition condition, Map<String, String> metadata)
            throws IOException {
        String upload = calls.run(
                RequestKind.PUT,
                "start multipart put " + key,
                attempt -> given(client.createMultipartUpload(request -> request.bucket(bucket)
                                .key(key)
                                .metadata(metadata)
                                .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
                                .checksumType(ChecksumType.FULL_OBJECT))
                        .uploadId()));
        boolean complete = false;
        try {
            List<CompletedPart> parts = sendParts(key, upload, body);
            calls.run(
                    RequestKind.PUT,
                    "complete multipart put " + key,
                    attempt -> unlessOurs(
                            key,
                            body,
                            attempt,
                            metadata,
                            () -> given(client.completeMultipartUpload(request -> {
                                        request.bucket(bucket)
                                                .key(key)
                                                .uploadId(upload)
                                                .checksumType(ChecksumType.FULL_OBJECT)
                                                .multipartUpload(all -> all.parts(parts));
                                        crc32c.ifPresent(crc -> request.checksumCRC32C(Checksums.base64(crc)));
                                        if (condition == PutCondition.IF_ABSENT) {
                                            request.ifNoneMatch(ANY);
                                        }
                                    })
                                    .eTag())));
            complete = true;
        } finally {
            if (!complete) {
                abort(key, upload);
            }
        }
    }

    private List<CompletedPart> sendParts(String key, String upload, S3Body body) throws IOException {
        List<CompletedPart> parts = new ArrayList<>();
        for (long offset = 0; offset < body.length(); offset += putSingleMax) {
            int number = parts.size() + 1;
            long from = offset;
            long length = Math.min(putSingleMax, body.length() - offset);
            UploadPartResponse part = calls.run(
                    RequestKind.PUT,
                    "put part %d of %s".formatted(number, key),
                    attempt -> {
                        UploadPartResponse answer = client.uploadPart(
                                request -> request.bucket(bucket)
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number)
                                        .checksumAlgorithm(ChecksumAlgorithm.CRC32_C),
                                body.slice(from, length));
                        String unused = given(answer.eTag());
                        return answer;
                    },
                    done -> length);
            parts.add(CompletedPart.builder()
                    .partNumber(number)
                    .eTag(part.eTag())
                    .checksumCRC32C(part.checksumCRC32C())
                    .build());
        }
        return parts;
    }

    /** Tries to abort an upload: parts of an abandoned one cost storage until a lifecycle rule removes them. */
    private void abort(String key, String upload) {
        try {
            calls.within(ABORT_TIMEOUT)
                    .run(
                            RequestKind.DELETE,
                            "abort multipart put " + key,
                            attempt -> client.abortMultipartUpload(
                                    request -> request.bucket(bucket).key(key).uploadId(upload)));
        } catch (IOException e) {
            LOG.warn(
                    "multipart upload {} of {} could not be aborted; its parts stay until they expire", upload, key, e);
        }
    }
}
