// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A body in AWS's chunks, as the bytes in them. Each chunk's signature is checked at its end, and that of the trailer at the end of the
 * body: a reader that uses the bytes before the end of the stream gives them up when a read fails. Confined to one thread.
 */
final class ChunkedBody extends InputStream {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final int MOST_LINE = 1_024;
    private static final int MOST_TRAILERS = 16;
    /** The longest number of a chunk's bytes, in digits. */
    private static final int MOST_DIGITS = 12;

    private static final String SIGNATURE = "chunk-signature=";
    private static final String TRAILER_SIGNATURE = "x-amz-trailer-signature";

    private final InputStream raw;
    private final Authenticated request;
    private final Payload.Chunked form;
    private final Map<String, String> trailers = new TreeMap<>();
    private final MessageDigest chunk = SigningKey.sha256();
    /** The signature of the chunk before. */
    private String before;
    /** The signature that the present chunk states. */
    private String stated = "";

    private long left;
    private boolean isBegun;
    private boolean isEnded;

    ChunkedBody(InputStream raw, Authenticated request, Payload.Chunked form) {
        this.raw = raw;
        this.request = request;
        this.form = form;
        this.before = request.signature();
    }

    /** Returns the headers behind the last chunk by their names in lower case; none before the end. */
    Map<String, String> trailers() {
        return trailers;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (left == 0 && !isEnded) {
            next();
        }
        if (isEnded) {
            return -1;
        }
        int n = raw.read(into, offset, (int) Math.min(count, left));
        if (n < 0) {
            throw incomplete("the body ends within a chunk");
        }
        if (form.isSigned()) {
            chunk.update(into, offset, n);
        }
        left -= n;
        if (left == 0) {
            endChunk();
        }
        return n;
    }

    /** Reads the head of the next chunk, and what follows the last one. */
    private void next() throws IOException {
        String line = line();
        int semicolon = line.indexOf(';');
        String size = semicolon < 0 ? line : line.substring(0, semicolon);
        if (size.isEmpty() || size.length() > MOST_DIGITS || !size.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw incomplete("'%.40s' is no head of a chunk".formatted(line));
        }
        isBegun = true;
        if (form.isSigned()) {
            int at = line.indexOf(SIGNATURE);
            if (at < 0) {
                throw mismatch("a chunk without a signature");
            }
            stated = line.substring(at + SIGNATURE.length()).strip();
        }
        left = Long.parseLong(size, 16);
        if (left == 0) {
            checkChunk();
            end();
        }
    }

    private void endChunk() throws IOException {
        checkChunk();
        if (!line().isEmpty()) {
            throw incomplete("a chunk is longer than its head says");
        }
    }

    private void checkChunk() throws S3Exception {
        if (!form.isSigned()) {
            return;
        }
        check(
                String.join(
                        "\n",
                        "AWS4-HMAC-SHA256-PAYLOAD",
                        request.time(),
                        request.signing().scope().toString(),
                        before,
                        EMPTY,
                        HexFormat.of().formatHex(chunk.digest())),
                stated,
                "a chunk");
    }

    private void check(String text, String signature, String what) throws S3Exception {
        if (!request.signing().isSignature(signature, text)) {
            throw mismatch("the signature of %s is not that of its bytes".formatted(what));
        }
        before = signature;
    }

    private void end() throws IOException {
        isEnded = true;
        StringBuilder canonical = new StringBuilder();
        String signature = "";
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || trailers.size() == MOST_TRAILERS) {
                throw incomplete("'%.40s' is no trailer".formatted(line));
            }
            String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            if (name.equals(TRAILER_SIGNATURE)) {
                signature = value;
            } else {
                trailers.put(name, value);
                canonical.append(name).append(':').append(value).append('\n');
            }
        }
        if (!form.hasTrailer() && !trailers.isEmpty()) {
            throw incomplete("a trailer that the request did not announce");
        }
        if (form.isSigned() && form.hasTrailer()) {
            check(
                    String.join(
                            "\n",
                            "AWS4-HMAC-SHA256-TRAILER",
                            request.time(),
                            request.signing().scope().toString(),
                            before,
                            SigningKey.sha256(canonical.toString())),
                    signature,
                    "the trailer");
        }
    }

    /** Reads a line, which ends with CR LF; the end of the body counts as one behind the last chunk. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = raw.read(); c != '\n'; c = raw.read()) {
            if (c < 0) {
                if (isEnded && line.length() == 0) {
                    return "";
                }
                throw incomplete(isBegun ? "the body ends within a chunk" : "the body has no chunk");
            }
            if (line.length() == MOST_LINE) {
                throw incomplete("a line of a chunk has more than %d bytes".formatted(MOST_LINE));
            }
            line.append((char) c);
        }
        int last = line.length() - 1;
        return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
    }

    private static S3Exception incomplete(String why) {
        return new S3Exception(S3Code.INCOMPLETE_BODY, why);
    }

    private static S3Exception mismatch(String why) {
        return new S3Exception(S3Code.SIGNATURE_DOES_NOT_MATCH, why);
    }
}
