// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * The store's attributes of an object, beside its bytes.
 *
 * <p>It asks by a GET of the first byte, which costs as much as a HEAD. An answer to HEAD ends with its headers, so
 * that broken headers look whole; an arrived byte proves that all headers did. Only for an empty object it sends a
 * HEAD.
 */
final class S3Heads {
    private static final int RANGE_NOT_SATISFIABLE = 416;
    /** The number of answers without a tag or time after which the store has none. */
    private static final int ATTEMPTS = 4;

    private static final Pattern FIRST_BYTE = Pattern.compile("bytes 0-0/([0-9]{1,18})");

    private final S3Client client;
    private final String bucket;
    private final S3Calls calls;

    /**
     * The attributes of an object.
     *
     * @param length in bytes
     */
    record Head(long length, String tag, Instant modified, Map<String, String> metadata) {
        /** Makes the attributes; some stores give foreign files no tag, or no time. */
        static Head of(long length, @Nullable String tag, @Nullable Instant modified, Map<String, String> metadata) {
            return new Head(
                    length,
                    Objects.requireNonNullElse(tag, ""),
                    Objects.requireNonNullElse(modified, Instant.EPOCH),
                    metadata);
        }
    }

    S3Heads(S3Client client, String bucket, S3Calls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    /** Returns the attributes; empty when the object does not exist. */
    Optional<Head> of(String key) throws IOException {
        try {
            return Optional.of(calls.run(RequestKind.HEAD, "head " + key, attempt -> ask(key, attempt)));
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    private Head ask(String key, int attempt) throws IOException {
        try (ResponseInputStream<GetObjectResponse> stream =
                client.getObject(request -> request.bucket(bucket).key(key).range("bytes=0-0"))) {
            GetObjectResponse answer = stream.response();
            if (answer.contentLength() == null || answer.contentLength() > 0) {
                awaitByte(stream);
            }
            return Head.of(length(answer), answer.eTag(), answer.lastModified(), answer.metadata());
        } catch (AwsServiceException e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return empty(key, attempt);
            }
            throw e;
        }
    }

    private static void awaitByte(ResponseInputStream<GetObjectResponse> stream) throws IOException {
        try {
            if (stream.read() < 0) {
                throw new IOException("the answer broke off before its first byte");
            }
            Long length = stream.response().contentLength();
            if (length == null || length > 1) {
                stream.abort();
            }
        } catch (IOException e) {
            stream.abort();
            throw new Attempts.Transient(String.valueOf(e.getMessage()), false, e);
        }
    }

    private static long length(GetObjectResponse answer) throws IOException {
        String range = answer.contentRange();
        if (range == null && answer.contentLength() != null) {
            // A store that ignores ranges sends the whole object.
            return answer.contentLength();
        }
        Matcher total = FIRST_BYTE.matcher(String.valueOf(range));
        if (!total.matches()) {
            throw new Attempts.Transient("the store answered '%s'".formatted(range), false, null);
        }
        return Long.parseLong(total.group(1));
    }

    private Head empty(String key, int attempt) throws IOException {
        HeadObjectResponse answer =
                client.headObject(request -> request.bucket(bucket).key(key));
        boolean brokeOff = answer.contentLength() == null
                || (attempt < ATTEMPTS && (answer.eTag() == null || answer.lastModified() == null));
        if (brokeOff || answer.contentLength() > 0) {
            throw new Attempts.Transient("the answer broke off, or the object was written meanwhile", false, null);
        }
        return Head.of(0, answer.eTag(), answer.lastModified(), answer.metadata());
    }
}
