// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * The creation of objects from streams: one PUT with a fixed length, whose CRC32C follows the bytes as a trailer.
 *
 * <p>A store may ignore trailers, or keep the framing of the chunks as bytes of the object. So an answer must have the
 * checksum of the bytes; otherwise the object is deleted, and no further stream is sent. Thread-safe.
 */
final class S3Streams {
    private static final Logger LOG = LoggerFactory.getLogger(S3Streams.class);
    private static final String ANY = "*";

    private final S3Client client;
    private final String bucket;
    private final long putSingleMax;
    private final S3Calls calls;
    private final S3Heads heads;
    private final boolean loopback;
    private volatile boolean trusted = true;

    /** @param loopback true if the client signs by {@link LoopbackSigning} */
    S3Streams(S3Client client, String bucket, long putSingleMax, S3Calls calls, boolean loopback) {
        this.client = client;
        this.bucket = bucket;
        this.putSingleMax = putSingleMax;
        // A stream cannot be read again.
        this.calls = calls.within(Duration.ZERO);
        this.heads = new S3Heads(client, bucket, this.calls);
        this.loopback = loopback;
    }

    boolean take(long length) {
        return trusted && length <= putSingleMax;
    }

    void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        if (!take(body.length())) {
            throw new UntrustedStreamException(
                    "a stream of %,d bytes is more than one PUT takes, or this store does not check streams"
                            .formatted(body.length()));
        }
        SentStream sent = new SentStream(body.bytes(), body.length());
        PutObjectResponse answer;
        try {
            answer = calls.run(
                    RequestKind.PUT,
                    "put %s while its bytes come".formatted(key),
                    attempt -> client.putObject(
                            request -> {
                                request.bucket(bucket).key(key).checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
                                if (condition == PutCondition.IF_ABSENT) {
                                    request.ifNoneMatch(ANY);
                                }
                                if (loopback) {
                                    request.overrideConfiguration(own -> own.putHeader(LoopbackSigning.STREAM, ANY));
                                }
                            },
                            RequestBody.fromContentProvider(() -> sent, body.length(), "application/octet-stream")),
                    done -> body.length());
        } catch (StoreUnavailableException e) {
            boolean isTaken = condition == PutCondition.IF_ABSENT
                    && sent.failure().isEmpty()
                    && !isAnswered(e)
                    && isAnothers(key, body, sent);
            throw isTaken
                    ? new PreconditionFailedException("put %s: the object already exists".formatted(key), e)
                    : ofTheReader(sent, e);
        } catch (ObjectNotFoundException | PreconditionFailedException e) {
            throw ofTheReader(sent, e);
        } catch (IOException e) {
            if (sent.failure().isEmpty() && e.getCause() instanceof AwsServiceException) {
                distrust(e.toString());
                throw new UntrustedStreamException("%s was refused".formatted(key), e);
            }
            throw ofTheReader(sent, e);
        }
        check(key, sent, answer);
    }

    private static boolean isAnswered(StoreUnavailableException e) {
        return e.getCause() != null && e.getCause().getCause() instanceof AwsServiceException;
    }

    /**
     * Returns whether the object is another's for certain. A store may refuse a put before its bytes, and end the connection; then the
     * refusal is lost if the client was still sending.
     */
    private boolean isAnothers(String key, StreamedBody body, SentStream sent) {
        try {
            Optional<S3Heads.Head> there = heads.of(key);
            return there.isPresent() && (sent.left() > 0 || there.get().length() != body.length());
        } catch (IOException e) {
            // The first failure says enough.
            return false;
        }
    }

    /** Returns the failure of the stream if one cut the put, otherwise that of the store. */
    private static IOException ofTheReader(SentStream sent, IOException e) {
        sent.failure().ifPresent(failure -> failure.addSuppressed(e));
        return sent.failure().orElse(e);
    }

    private void check(String key, SentStream sent, PutObjectResponse answer) throws IOException {
        String expected = Checksums.base64(sent.crc32c());
        if (sent.left() == 0 && expected.equals(answer.checksumCRC32C())) {
            return;
        }
        String why = "it answered with the checksum %s, expected %s".formatted(answer.checksumCRC32C(), expected);
        distrust(why);
        UntrustedStreamException unchecked = new UntrustedStreamException("%s was not checked: %s".formatted(key, why));
        try {
            calls.run(
                    RequestKind.DELETE,
                    "delete " + key,
                    attempt -> client.deleteObject(
                            request -> request.bucket(bucket).key(key)));
        } catch (IOException e) {
            // The object belongs to no file: a collection deletes it.
            unchecked.addSuppressed(e);
        }
        throw unchecked;
    }

    private void distrust(String why) {
        trusted = false;
        LOG.warn(
                "the store does not check the bytes of streams ({}); blobs are sent when they are complete, until this"
                        + " process ends",
                why);
    }
}
