// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.credentials.CredentialsException;
import io.packing.store.credentials.SigningRegion;
import io.packing.store.credentials.Source;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/** The translation of an answer or failure of the S3 client to the port's exceptions. */
final class S3Errors {
    private static final Set<String> THROTTLES = Set.of(
            "SlowDown",
            "ServiceUnavailable",
            "Throttling",
            "ThrottlingException",
            "TooManyRequests",
            "RequestLimitExceeded",
            "RequestThrottled",
            "ReducedRequestRate");
    private static final Set<String> TRANSIENTS = Set.of(
            "InternalError",
            "RequestTimeout",
            "OperationAborted",
            "ConditionalRequestConflict",
            "BadDigest",
            "XAmzContentChecksumMismatch",
            "IncompleteBody");

    private static final Map<RequestKind, String> ACTIONS = Map.of(
            RequestKind.PUT, "s3:PutObject",
            RequestKind.GET, "s3:GetObject",
            RequestKind.HEAD, "s3:GetObject and s3:ListBucket",
            RequestKind.LIST, "s3:ListBucket",
            RequestKind.DELETE, "s3:DeleteObject and s3:AbortMultipartUpload");
    private static final Set<String> EXPIRED = Set.of("ExpiredToken", "TokenRefreshRequired", "ExpiredTokenException");
    private static final int NOT_MODIFIED = 304;

    private final String location;
    private final String bucket;
    private final Source source;
    private final SigningRegion region;

    /** @param source of the credentials */
    S3Errors(String location, String bucket, Source source, SigningRegion region) {
        this.location = location;
        this.bucket = bucket;
        this.source = source;
        this.region = region;
    }

    /**
     * Returns the exception to throw; an {@link Attempts.Transient} when another attempt may succeed.
     *
     * @param attempt that has failed, from 1
     */
    IOException translate(RequestKind kind, String what, int attempt, SdkException e) {
        if (e instanceof AwsServiceException service) {
            boolean isRead = kind == RequestKind.GET || kind == RequestKind.HEAD || kind == RequestKind.LIST;
            return isRead && service.statusCode() == NOT_MODIFIED
                    ? RequestedRange.wrong(what, "the store answered 304 to a request without a condition", attempt)
                    : translateAnswer(kind, what, service);
        }
        if (e instanceof AbortedException) {
            Thread.currentThread().interrupt();
            return Attempts.interrupted(what, e);
        }
        Optional<CredentialsException> credentials = cause(e, CredentialsException.class);
        if (credentials.isPresent()) {
            return ofCredentials(credentials.get());
        }
        if (cause(e, CertificateException.class).isPresent()
                || cause(e, CertPathBuilderException.class).isPresent()) {
            return new IOException(
                    "%s: the certificate of the store is not trusted: %s. Name its authority in packing.s3.ca.file"
                            .formatted(location, describe(e)),
                    e);
        }
        if (cause(e, XMLStreamException.class).isPresent()) {
            return new Attempts.Transient("the answer is not whole: " + describe(e), false, e);
        }
        if (e.retryable() || isFaultOfTheWay(e)) {
            return new Attempts.Transient(describe(e), false, e);
        }
        return new IOException("%s: %s: %s".formatted(location, what, e.getMessage()), e);
    }

    private IOException ofCredentials(CredentialsException e) {
        String message = String.valueOf(e.getMessage());
        return e.isPassing()
                ? new Attempts.Transient(message, false, "", e)
                : new IOException("%s: %s".formatted(location, message), e);
    }

    private IOException translateAnswer(RequestKind kind, String what, AwsServiceException e) {
        int status = e.statusCode();
        String code = code(e);
        if (THROTTLES.contains(code) || status == 503 || status == 429) {
            return new Attempts.Transient("throttled (%d %s)".formatted(status, code), true, e);
        }
        if (TRANSIENTS.contains(code) || status >= 500 || status == 408) {
            return new Attempts.Transient("server error %d %s".formatted(status, code), false, e);
        }
        if (code.equals("NoSuchBucket")) {
            return noSuchBucket(e);
        }
        if (status == 404) {
            return new ObjectNotFoundException("%s: %s: no such object".formatted(location, what), e);
        }
        if (status == 412 || status == NOT_MODIFIED) {
            return new PreconditionFailedException("%s: %s: the object already exists".formatted(location, what), e);
        }
        if (status == 301
                || code.equals("AuthorizationHeaderMalformed")
                || code.equals("IllegalLocationConstraintException")) {
            return otherRegion(e);
        }
        return refused(kind, what, e);
    }

    private IOException refused(RequestKind kind, String what, AwsServiceException e) {
        int status = e.statusCode();
        String code = code(e);
        if (code.equals("RequestTimeTooSkewed")) {
            String there =
                    header(e, "Date").map(date -> ", and its own says " + date).orElse("");
            return new IOException(
                    "%s: the store refuses this machine's clock (403 RequestTimeTooSkewed)%s; set the clock"
                            .formatted(location, there),
                    e);
        }
        if (EXPIRED.contains(code)) {
            return new IOException(
                    "%s: %s: the credentials have expired (%d %s): %s. Next: %s"
                            .formatted(location, what, status, code, source.text(), source.remedy()),
                    e);
        }
        if (status == 401 || status == 403) {
            String next = code.equals("AccessDenied")
                    ? "allow them %s on bucket %s".formatted(ACTIONS.get(kind), bucket)
                    : "%s, and what they are allowed on bucket %s".formatted(source.remedy(), bucket);
            return new IOException(
                    "%s: %s: credentials refused (%d %s): %s. Next: %s"
                            .formatted(location, what, status, code, source.text(), next),
                    e);
        }
        return new IOException("%s: %s: %d %s".formatted(location, what, status, code), e);
    }

    private IOException otherRegion(AwsServiceException e) {
        String right = header(e, "x-amz-bucket-region").map(name -> "=" + name).orElse("");
        return new IOException(
                "%s: bucket %s is in another region (%d %s) than %s, which %s says; set packing.s3.region%s"
                        .formatted(location, bucket, e.statusCode(), code(e), region.name(), region.saidBy(), right),
                e);
    }

    private static Optional<String> header(AwsServiceException e, String name) {
        return Optional.ofNullable(e.awsErrorDetails())
                .map(AwsErrorDetails::sdkHttpResponse)
                .flatMap(answer -> answer.firstMatchingHeader(name));
    }

    IOException noSuchBucket(Exception cause) {
        return new IOException(
                "%s: there is no bucket %s; create bucket %s or fix packing.store".formatted(location, bucket, bucket),
                cause);
    }

    private static String code(AwsServiceException e) {
        return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
                ? ""
                : e.awsErrorDetails().errorCode();
    }

    private static <T extends Throwable> Optional<T> cause(Throwable e, Class<T> kind) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** Returns whether a connection failed, or a header broke off in its middle. */
    private static boolean isFaultOfTheWay(Throwable e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    || cause instanceof DateTimeParseException
                    || cause instanceof NumberFormatException) {
                return true;
            }
        }
        return false;
    }

    private static String describe(Throwable e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return "%s: %s".formatted(deepest.getClass().getSimpleName(), deepest.getMessage());
    }
}
