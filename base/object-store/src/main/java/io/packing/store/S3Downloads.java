// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The reader of objects; it asks again after a broken answer. */
final class S3Downloads {
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int COPY_BYTES = 256 << 10;

    private final S3Client client;
    private final String bucket;
    private final S3Calls calls;

    S3Downloads(S3Client client, String bucket, S3Calls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    ByteBuffer range(String key, long offset, int length) throws IOException {
        return range(request(key), key, offset, length);
    }

    /** Reads a range past caches on the way, over a connection that is not used again. */
    ByteBuffer rangeAgain(String key, long offset, int length) throws IOException {
        GetObjectRequest.Builder request = request(key)
                .overrideConfiguration(
                        with -> with.putHeader("Cache-Control", "no-cache").putHeader("Connection", "close"));
        return range(request, key, offset, length);
    }

    private ByteBuffer range(GetObjectRequest.Builder request, String key, long offset, int length) throws IOException {
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        return read(RequestedRange.of(key, offset, length), request);
    }

    /** Reads a range straight into buffers over arrays. */
    int range(String key, long offset, List<ByteBuffer> into) throws IOException {
        int length = RangeChecks.room(into);
        if (length == 0) {
            return 0;
        }
        RequestedRange range = RequestedRange.of(key, offset, length);
        int count = ask(
                range,
                request(key),
                (stream, bytes) -> {
                    // Each attempt fills them from their beginning.
                    for (ByteBuffer each : into) {
                        fill(stream, each.duplicate(), range.what());
                    }
                    return bytes;
                },
                0,
                bytes -> bytes);
        into.forEach(each -> each.position(each.limit()));
        return count;
    }

    ByteBuffer tail(String key, int length) throws IOException {
        return length == 0 ? ByteBuffer.allocate(0) : read(RequestedRange.tail(key, length), request(key));
    }

    private ByteBuffer read(RequestedRange range, GetObjectRequest.Builder request) throws IOException {
        return ask(
                range,
                request,
                (stream, count) -> {
                    ByteBuffer bytes = ByteBuffer.allocate(count);
                    fill(stream, bytes, range.what());
                    return bytes.flip();
                },
                ByteBuffer.allocate(0),
                ByteBuffer::remaining);
    }

    /** A receiver of the body of an answer, of so many bytes. */
    private interface Body<T> {
        T take(ResponseInputStream<GetObjectResponse> stream, int count) throws IOException;
    }

    /** @param none the result when the object has none of the bytes */
    private <T> T ask(
            RequestedRange range, GetObjectRequest.Builder builder, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException {
        GetObjectRequest request = builder.range(range.header()).build();
        return calls.run(
                RequestKind.GET,
                range.what(),
                attempt -> {
                    try (ResponseInputStream<GetObjectResponse> stream = client.getObject(request)) {
                        return body.take(stream, bytes(range, stream, attempt));
                    } catch (AwsServiceException e) {
                        if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                            // Servers give this answer also to any range of an empty object.
                            range.none();
                            return none;
                        }
                        throw e;
                    }
                },
                moved);
    }

    private static int bytes(RequestedRange range, ResponseInputStream<GetObjectResponse> stream, int attempt)
            throws IOException {
        try {
            return range.bytes(stream.response(), attempt);
        } catch (IOException e) {
            stream.abort();
            throw e;
        }
    }

    /** Fills the rest of a buffer over an array. */
    private static void fill(ResponseInputStream<GetObjectResponse> stream, ByteBuffer into, String what)
            throws IOException {
        int start = into.position();
        try {
            while (into.hasRemaining()) {
                int count = stream.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
                if (count < 0) {
                    throw new IOException("the answer broke off after %d of %d bytes"
                            .formatted(into.position() - start, into.limit() - start));
                }
                into.position(into.position() + count);
            }
        } catch (IOException e) {
            stream.abort();
            throw brokenOff(what, e);
        }
    }

    /** Reads the whole object; a repeated attempt starts over. */
    void whole(String key, FileChannel target) throws IOException {
        String what = "download " + key;
        calls.run(
                RequestKind.GET,
                what,
                attempt -> {
                    target.truncate(0);
                    try (ResponseInputStream<GetObjectResponse> stream =
                            client.getObject(request(key).build())) {
                        return copy(stream, target, what);
                    }
                },
                bytes -> bytes);
    }

    private static long copy(ResponseInputStream<GetObjectResponse> stream, FileChannel target, String what)
            throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        long size = stream.response().contentLength();
        long done = 0;
        while (done < size) {
            int count;
            try {
                count = stream.read(buffer);
                if (count < 0) {
                    throw new IOException("the answer broke off after %d of %d bytes".formatted(done, size));
                }
            } catch (IOException e) {
                stream.abort();
                throw brokenOff(what, e);
            }
            ByteBuffer chunk = ByteBuffer.wrap(buffer, 0, count);
            while (chunk.hasRemaining()) {
                done += target.write(chunk);
            }
        }
        return done;
    }

    private static Attempts.Transient brokenOff(String what, IOException e) {
        return new Attempts.Transient("%s: %s".formatted(what, e.getMessage()), false, e);
    }

    private GetObjectRequest.Builder request(String key) {
        return GetObjectRequest.builder().bucket(bucket).key(key);
    }
}
