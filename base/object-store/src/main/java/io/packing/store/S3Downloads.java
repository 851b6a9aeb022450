// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The reader of objects; it asks again after a broken answer. */
final class S3Downloads extends ObjectReads {
    private final S3Client client;
    private final String bucket;
    private final S3Calls calls;
    private final Optional<String> version;

    /** @param version that the objects must have; empty: any */
    S3Downloads(S3Client client, String bucket, S3Calls calls, Optional<String> version) {
        this.version = version;
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    @Override
    protected <T> T ask(
            String key, RequestedRange range, boolean isPastCaches, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException {
        GetObjectRequest.Builder request = request(key).range(range.header());
        if (isPastCaches) {
            request.overrideConfiguration(
                    with -> with.putHeader("Cache-Control", "no-cache").putHeader("Connection", "close"));
        }
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    try {
                        return take(request.build(), stream -> {
                            GetObjectResponse answer = stream.response();
                            check(key, answer);
                            return body.take(stream, range.bytes(answer.contentRange(), length(answer), attempt));
                        });
                    } catch (AwsServiceException e) {
                        if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                            range.none();
                            return none;
                        }
                        throw e;
                    }
                },
                moved);
    }

    /** Opens a range, whose bytes come as the caller reads them. Only its beginning is asked for again. */
    InputStream open(String key, long offset, int length) throws IOException {
        RequestedRange range = RequestedRange.of(key, offset, length);
        GetObjectRequest request = request(key).range(range.header()).build();
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    try {
                        return opened(key, range, client.getObject(request), attempt);
                    } catch (AwsServiceException e) {
                        if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                            range.none();
                        }
                        throw e;
                    }
                },
                stream -> length);
    }

    private InputStream opened(
            String key, RequestedRange range, ResponseInputStream<GetObjectResponse> stream, int attempt)
            throws IOException {
        try {
            GetObjectResponse answer = stream.response();
            check(key, answer);
            return new OpenAnswer(stream, range.bytes(answer.contentRange(), length(answer), attempt));
        } catch (IOException e) {
            stream.abort();
            throw e;
        }
    }

    @Override
    protected void whole(String key, FileChannel target) throws IOException {
        String what = "download " + key;
        calls.run(
                RequestKind.GET,
                what,
                attempt -> {
                    target.truncate(0);
                    return take(
                            request(key).build(),
                            stream -> AnswerBodies.copy(stream, length(stream.response()), target, what));
                },
                bytes -> bytes);
    }

    /** Refuses an answer of a store that does not obey the condition. */
    private void check(String key, GetObjectResponse answer) throws PreconditionFailedException {
        if (version.isPresent() && !version.get().equals(answer.eTag())) {
            throw new PreconditionFailedException(
                    "s3://%s/%s: the store answered with version %s".formatted(bucket, key, answer.eTag()));
        }
    }

    private interface Taken<T> {
        T from(ResponseInputStream<GetObjectResponse> stream) throws IOException;
    }

    /** Takes an answer. The rest of one that cannot be used is not read: its connection is given up. */
    private <T> T take(GetObjectRequest request, Taken<T> taken) throws IOException {
        try (ResponseInputStream<GetObjectResponse> stream = client.getObject(request)) {
            try {
                return taken.from(stream);
            } catch (IOException e) {
                stream.abort();
                throw e;
            }
        }
    }

    private static long length(GetObjectResponse answer) {
        return answer.contentLength() == null ? -1 : answer.contentLength();
    }

    private GetObjectRequest.Builder request(String key) {
        GetObjectRequest.Builder request =
                GetObjectRequest.builder().bucket(bucket).key(key);
        return version.isPresent() ? request.ifMatch(version.get()) : request;
    }
}
