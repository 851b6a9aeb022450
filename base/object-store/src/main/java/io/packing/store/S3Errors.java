// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Set;
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

    private static final int NOT_MODIFIED = 304;
    /** The variables of the keys. The options are not named: a secret on a command line is in the list of processes. */
    private static final String KEYS = EnvironmentKeys.ACCESS + " and " + EnvironmentKeys.SECRET;

    private final String location;
    private final String bucket;

    S3Errors(String location, String bucket) {
        this.location = location;
        this.bucket = bucket;
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
                    : translateAnswer(what, service);
        }
        if (e instanceof AbortedException) {
            Thread.currentThread().interrupt();
            return Attempts.interrupted(what, e);
        }
        if (e.retryable() || isFaultOfTheWay(e)) {
            return new Attempts.Transient(describe(e), false, e);
        }
        if (String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("credentials")) {
            return new IOException(
                    "%s: no credentials found; set %s in the environment, or have keys where AWS's tools look, such as ~/.aws"
                            .formatted(location, KEYS),
                    e);
        }
        return new IOException("%s: %s: %s".formatted(location, what, e.getMessage()), e);
    }

    private IOException translateAnswer(String what, AwsServiceException e) {
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
        if (code.equals("RequestTimeTooSkewed")) {
            return new IOException(
                    "%s: the store refuses this machine's clock (403 RequestTimeTooSkewed); set the clock"
                            .formatted(location),
                    e);
        }
        if (status == 401 || status == 403) {
            return new IOException(
                    ("%s: %s: credentials refused (%d %s); check the keys in %s, in a configuration, in ~/.aws or of the"
                                    + " machine's role, and what they are allowed on bucket %s")
                            .formatted(location, what, status, code, KEYS, bucket),
                    e);
        }
        if (status == 301
                || code.equals("AuthorizationHeaderMalformed")
                || code.equals("IllegalLocationConstraintException")) {
            return new IOException(
                    "%s: bucket %s is in another region (%d %s); set packing.s3.region"
                            .formatted(location, bucket, status, code),
                    e);
        }
        return new IOException("%s: %s: %d %s".formatted(location, what, status, code), e);
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
