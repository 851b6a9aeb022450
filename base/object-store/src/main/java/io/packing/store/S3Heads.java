package io.packing.store;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
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
 * What the store knows of an object beside its bytes.
 *
 * <p>The question is a GET of the first byte, which costs what a HEAD costs. An answer to HEAD has nothing behind its headers, so that
 * headers which broke off look whole; a byte that arrives says that all headers did. Only of an empty object a HEAD asks.
 */
final class S3Heads {
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final Pattern FIRST_BYTE = Pattern.compile("bytes 0-0/([0-9]{1,18})");

    private final S3Client client;
    private final String bucket;
    private final S3Calls calls;

    /**
     * An object.
     *
     * @param length in bytes
     */
    record Head(long length, String tag, Instant modified, Map<String, String> metadata) {
        static Head of(
                @Nullable Long length, @Nullable String tag, @Nullable Instant modified, Map<String, String> metadata)
                throws IOException {
            if (length == null || tag == null || modified == null) {
                throw new Attempts.Transient("the answer has no length, tag or time", false, null);
            }
            return new Head(length, tag, modified, metadata);
        }
    }

    S3Heads(S3Client client, String bucket, S3Calls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    /** Nothing when there is no such object. */
    Optional<Head> of(String key) throws IOException {
        try {
            return Optional.of(calls.run(RequestKind.HEAD, "head " + key, attempt -> ask(key)));
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    private Head ask(String key) throws IOException {
        try (ResponseInputStream<GetObjectResponse> stream =
                client.getObject(request -> request.bucket(bucket).key(key).range("bytes=0-0"))) {
            GetObjectResponse answer = stream.response();
            if (answer.contentLength() > 0) {
                awaitByte(stream);
            }
            return Head.of(length(answer), answer.eTag(), answer.lastModified(), answer.metadata());
        } catch (AwsServiceException e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return empty(key);
            }
            throw e;
        }
    }

    private static void awaitByte(ResponseInputStream<GetObjectResponse> stream) throws IOException {
        try {
            if (stream.read() < 0) {
                throw new IOException("the answer broke off before its first byte");
            }
            if (stream.response().contentLength() > 1) {
                stream.abort();
            }
        } catch (IOException e) {
            stream.abort();
            throw new Attempts.Transient(String.valueOf(e.getMessage()), false, e);
        }
    }

    private static long length(GetObjectResponse answer) throws IOException {
        String range = answer.contentRange();
        if (range == null) {
            // The whole object, from a store that ignores ranges.
            return answer.contentLength();
        }
        Matcher total = FIRST_BYTE.matcher(range);
        if (!total.matches()) {
            throw new Attempts.Transient("the store answered '%s'".formatted(range), false, null);
        }
        return Long.parseLong(total.group(1));
    }

    private Head empty(String key) throws IOException {
        HeadObjectResponse answer =
                client.headObject(request -> request.bucket(bucket).key(key));
        Head head = Head.of(answer.contentLength(), answer.eTag(), answer.lastModified(), answer.metadata());
        if (head.length() != 0) {
            throw new Attempts.Transient("the object was written meanwhile", false, null);
        }
        return head;
    }
}
