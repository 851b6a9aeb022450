// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The check of AWS's signatures of version 4, in the header {@code Authorization} or in the query of a presigned URL. It refuses requests
 * without a signature, of another algorithm, and of a time outside of the window. Thread-safe.
 */
public final class Authenticator {
    /** The most by which the clock of a client may differ. */
    public static final Duration WINDOW = Duration.ofMinutes(15);
    /** The longest validity of a presigned URL. */
    public static final Duration LONGEST = Duration.ofDays(7);

    private static final String SERVICE = "s3";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

    private final AccessKeys keys;
    private final Clock clock;

    public Authenticator(AccessKeys keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** The parts of a signature as a request states them. */
    private record Stated(String credential, List<String> headers, String signature, String time) {}

    /** Checks a request. */
    public Authenticated check(SignedRequest request) throws S3Exception {
        Optional<String> header = request.header("authorization");
        boolean isPresigned = request.parameter("X-Amz-Algorithm").isPresent();
        if (header.isPresent() && isPresigned) {
            throw S3Exception.argument("one signature is taken: in the header Authorization, or in the query");
        }
        if (isPresigned) {
            return presigned(request);
        }
        if (header.isEmpty()) {
            throw new S3Exception(S3Code.ACCESS_DENIED, "the request has no signature");
        }
        Stated stated = ofHeader(header.get(), request);
        Instant time = time(stated.time());
        if (Duration.between(time, clock.instant()).abs().compareTo(WINDOW) > 0) {
            throw new S3Exception(
                    S3Code.REQUEST_TIME_TOO_SKEWED,
                    "the request is of %s and the gateway's clock says %s: they may differ by %d minutes"
                            .formatted(time, clock.instant(), WINDOW.toMinutes()));
        }
        String payload = request.header(Payload.HEADER)
                .orElseThrow(() -> S3Exception.request("the header %s is missing".formatted(Payload.HEADER)));
        return verified(request, stated, payload, Payload.of(payload));
    }

    private Authenticated presigned(SignedRequest request) throws S3Exception {
        if (!parameter(request, "X-Amz-Algorithm").equals(SigningKey.ALGORITHM)) {
            throw query("X-Amz-Algorithm is not " + SigningKey.ALGORITHM);
        }
        Stated stated = new Stated(
                parameter(request, "X-Amz-Credential"),
                List.of(parameter(request, "X-Amz-SignedHeaders").split(";", -1)),
                parameter(request, "X-Amz-Signature"),
                parameter(request, "X-Amz-Date"));
        Instant begin = time(stated.time());
        Duration valid = Duration.ofSeconds(seconds(parameter(request, "X-Amz-Expires")));
        Instant now = clock.instant();
        if (begin.isAfter(now.plus(WINDOW))) {
            throw new S3Exception(S3Code.ACCESS_DENIED, "the request is not yet valid");
        }
        if (now.isAfter(begin.plus(valid))) {
            throw new S3Exception(S3Code.ACCESS_DENIED, "the request has expired");
        }
        String payload = request.header(Payload.HEADER)
                .or(() -> request.parameter("X-Amz-Content-Sha256"))
                .orElse(Payload.UNSIGNED);
        return verified(request, stated, payload, Payload.of(payload));
    }

    private Authenticated verified(SignedRequest request, Stated stated, String payloadText, Payload payload)
            throws S3Exception {
        String[] words = stated.credential().split("/", -1);
        // An id of an access key has no slash.
        if (words.length != 5 || !words[4].equals("aws4_request") || !words[3].equals(SERVICE)) {
            throw malformed("the credential '%.100s' is none of the form KEY/DATE/REGION/s3/aws4_request"
                    .formatted(stated.credential()));
        }
        if (!stated.time().startsWith(words[1]) || words[1].length() != 8) {
            throw malformed("the date of the credential is not that of the request");
        }
        checkCovered(request, stated.headers());
        AccessKey key = keys.find(words[0])
                .orElseThrow(() -> new S3Exception(
                        S3Code.INVALID_ACCESS_KEY_ID, "there is no access key %.40s".formatted(words[0])));
        SigningKey signing = keys.signing(key, new SigningKey.Scope(words[1], words[2], words[3]));
        String text = String.join(
                "\n",
                SigningKey.ALGORITHM,
                stated.time(),
                signing.scope().toString(),
                SigningKey.sha256(request.canonical(stated.headers(), payloadText)));
        if (!signing.isSignature(stated.signature(), text)) {
            throw new S3Exception(
                    S3Code.SIGNATURE_DOES_NOT_MATCH,
                    "the signature is not that of the request: check the secret key and the way of signing");
        }
        return new Authenticated(key.user(), payload, signing, stated.time(), stated.signature());
    }

    /** Refuses headers with a meaning that the signature does not cover: a third party could have added them. */
    private static void checkCovered(SignedRequest request, List<String> signed) throws S3Exception {
        if (!signed.contains("host")) {
            throw new S3Exception(S3Code.ACCESS_DENIED, "the signature does not cover the header host");
        }
        for (String name : request.headers().keySet()) {
            boolean matters = name.startsWith("x-amz-") || name.equals("content-md5");
            if (matters && !signed.contains(name) && !name.equals(Payload.HEADER)) {
                throw new S3Exception(
                        S3Code.ACCESS_DENIED, "the signature does not cover the header %.60s".formatted(name));
            }
        }
    }

    private static Stated ofHeader(String header, SignedRequest request) throws S3Exception {
        if (!header.startsWith(SigningKey.ALGORITHM + " ")) {
            throw S3Exception.request("the authorization is of another kind: use " + SigningKey.ALGORITHM);
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : header.substring(SigningKey.ALGORITHM.length()).split(",", -1)) {
            int equals = field.indexOf('=');
            if (equals < 0) {
                throw malformed("the authorization has a part without '='");
            }
            fields.put(
                    field.substring(0, equals).strip(),
                    field.substring(equals + 1).strip());
        }
        String time = request.header("x-amz-date").orElse("");
        if (time.isEmpty()) {
            throw new S3Exception(S3Code.ACCESS_DENIED, "the header x-amz-date is missing");
        }
        return new Stated(
                field(fields, "Credential"),
                List.of(field(fields, "SignedHeaders").split(";", -1)),
                field(fields, "Signature"),
                time);
    }

    private static String field(Map<String, String> fields, String name) throws S3Exception {
        String value = fields.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw malformed("the authorization has no " + name);
        }
        return value;
    }

    private static S3Exception malformed(String why) {
        return new S3Exception(S3Code.AUTHORIZATION_HEADER_MALFORMED, why);
    }

    private static String parameter(SignedRequest request, String name) throws S3Exception {
        return request.parameter(name).orElseThrow(() -> query("the query has no " + name));
    }

    private static S3Exception query(String why) {
        return new S3Exception(S3Code.AUTHORIZATION_QUERY_PARAMETERS_ERROR, why);
    }

    private static long seconds(String text) throws S3Exception {
        long seconds = text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
        if (seconds < 1 || seconds > LONGEST.toSeconds()) {
            throw query("X-Amz-Expires is '%.20s', want 1 to %d seconds".formatted(text, LONGEST.toSeconds()));
        }
        return seconds;
    }

    private static Instant time(String text) throws S3Exception {
        try {
            return LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new S3Exception(
                    S3Code.ACCESS_DENIED, "the time '%.40s' is none of the form 20261130T093000Z".formatted(text), e);
        }
    }
}
