// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The bytes of an object in the body of a request. At their end it compares their length, hash and checksums with those that the client
 * named. It fails when one differs, and the reader gives the bytes up then. Confined to one thread.
 */
public final class ObjectBody extends InputStream {
    private static final int LINES_BUFFER = 16 << 10;
    private static final int MD5_BYTES = 16;

    private final InputStream bytes;
    private final Optional<ChunkedBody> chunks;
    private final long length;
    private final Optional<byte[]> wantedMd5;
    private final Optional<String> wantedSha256;
    private final Optional<ChecksumAlgorithm> algorithm;
    private final Optional<String> wantedSum;
    /** True if the checksum is to follow the last chunk. */
    private final boolean isTrailing;

    private final MessageDigest md5 = md5();
    private final MessageDigest sha256 = SigningKey.sha256();
    private final Optional<ChecksumAlgorithm.Sum> sum;
    private long count;
    private Optional<ObjectSums> sums = Optional.empty();

    private ObjectBody(
            InputStream bytes,
            Optional<ChunkedBody> chunks,
            long length,
            Optional<byte[]> wantedMd5,
            Optional<String> wantedSha256,
            Optional<ChecksumAlgorithm> algorithm,
            Optional<String> wantedSum,
            boolean isTrailing) {
        this.bytes = bytes;
        this.chunks = chunks;
        this.length = length;
        this.wantedMd5 = wantedMd5;
        this.wantedSha256 = wantedSha256;
        this.algorithm = algorithm;
        this.wantedSum = wantedSum;
        this.isTrailing = isTrailing;
        this.sum = algorithm.map(ChecksumAlgorithm::begin);
    }

    /**
     * Opens a body. Nothing of it is read.
     *
     * @param raw the body as it comes from the client
     * @param contentLength of the body; negative: unknown
     */
    public static ObjectBody open(InputStream raw, long contentLength, SignedRequest request, Authenticated who)
            throws S3Exception {
        Optional<ChunkedBody> chunks = who.payload() instanceof Payload.Chunked form
                ? Optional.of(new ChunkedBody(new BufferedInputStream(raw, LINES_BUFFER), who, form))
                : Optional.empty();
        long length = chunks.isPresent() ? decodedLength(request) : contentLength;
        if (length < 0) {
            throw new S3Exception(S3Code.MISSING_CONTENT_LENGTH, "the request does not say how long the object is");
        }
        Optional<ChecksumAlgorithm> named = Optional.empty();
        for (ChecksumAlgorithm each : ChecksumAlgorithm.values()) {
            if (request.header(each.header()).isPresent()) {
                if (named.isPresent()) {
                    throw S3Exception.request("one checksum is taken, and the request has two");
                }
                named = Optional.of(each);
            }
        }
        Optional<String> sum = named.flatMap(each -> request.header(each.header()));
        Optional<ChecksumAlgorithm> trailing = request.header("x-amz-trailer").flatMap(ChecksumAlgorithm::ofHeader);
        Optional<ChecksumAlgorithm> announced = request.header("x-amz-sdk-checksum-algorithm")
                .or(() -> request.header("x-amz-checksum-algorithm"))
                .flatMap(ChecksumAlgorithm::named);
        if (sum.isPresent()) {
            byte[] unused = base64(
                    sum.get(), named.orElseThrow().bytes(), named.orElseThrow().header());
        }
        return new ObjectBody(
                chunks.isPresent() ? chunks.get() : raw,
                chunks,
                length,
                md5(request),
                who.payload() instanceof Payload.Hashed hashed ? Optional.of(hashed.sha256()) : Optional.empty(),
                named.or(() -> trailing).or(() -> announced),
                sum,
                named.isEmpty() && trailing.isPresent());
    }

    private static Optional<byte[]> md5(SignedRequest request) throws S3Exception {
        Optional<String> header = request.header("content-md5");
        return header.isPresent() ? Optional.of(base64(header.get(), MD5_BYTES, "content-md5")) : Optional.empty();
    }

    private static long decodedLength(SignedRequest request) throws S3Exception {
        String text = request.header("x-amz-decoded-content-length").orElse("");
        if (!text.matches("[0-9]{1,15}")) {
            throw new S3Exception(
                    S3Code.MISSING_CONTENT_LENGTH, "the header x-amz-decoded-content-length is missing, or no number");
        }
        return Long.parseLong(text);
    }

    private static byte[] base64(String text, int bytes, String what) throws S3Exception {
        try {
            byte[] value = Base64.getDecoder().decode(text.strip());
            if (value.length == bytes) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            throw new S3Exception(S3Code.INVALID_DIGEST, "%s is no base64".formatted(what), e);
        }
        throw new S3Exception(S3Code.INVALID_DIGEST, "%s has not %d bytes".formatted(what, bytes));
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has MD5", e);
        }
    }

    /** Returns the bytes that the object has. */
    public long length() {
        return length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
        int n = bytes.read(into, offset, most);
        if (n < 0) {
            end();
            return -1;
        }
        count += n;
        if (count > length) {
            throw new S3Exception(S3Code.INCOMPLETE_BODY, "the body is longer than the request says");
        }
        md5.update(into, offset, n);
        if (wantedSha256.isPresent()) {
            sha256.update(into, offset, n);
        }
        if (sum.isPresent()) {
            sum.get().update(into, offset, n);
        }
        return n;
    }

    private void end() throws S3Exception {
        if (sums.isPresent()) {
            return;
        }
        if (count != length) {
            throw new S3Exception(
                    S3Code.INCOMPLETE_BODY, "the body has %d bytes, and the request says %d".formatted(count, length));
        }
        byte[] isMd5 = md5.digest();
        if (wantedMd5.isPresent() && !Arrays.equals(wantedMd5.get(), isMd5)) {
            throw new S3Exception(S3Code.BAD_DIGEST, "the MD5 of the body is not that of Content-MD5");
        }
        if (wantedSha256.isPresent()
                && !HexFormat.of().formatHex(sha256.digest()).equals(wantedSha256.get())) {
            throw new S3Exception(
                    S3Code.CONTENT_SHA256_MISMATCH, "the SHA-256 of the body is not that of the signature");
        }
        Optional<String> value = sum.map(each -> Base64.getEncoder().encodeToString(each.value()));
        Optional<String> wanted = wantedSum;
        if (isTrailing && chunks.isPresent()) {
            String header = algorithm.orElseThrow().header();
            wanted = Optional.ofNullable(chunks.get().trailers().get(header));
            if (wanted.isEmpty()) {
                throw new S3Exception(S3Code.INCOMPLETE_BODY, "the trailer has no " + header);
            }
        }
        if (wanted.isPresent() && !wanted.equals(value)) {
            throw new S3Exception(
                    S3Code.BAD_DIGEST,
                    "%s of the body is not the one that the client sent"
                            .formatted(algorithm.orElseThrow().header()));
        }
        sums = Optional.of(new ObjectSums(HexFormat.of().formatHex(isMd5), algorithm, value.orElse("")));
    }

    /** Returns the checksums of the body, once it is read to its end. */
    public ObjectSums sums() {
        return sums.orElseThrow(() -> new IllegalStateException("the body is not read to its end"));
    }
}
