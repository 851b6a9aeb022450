// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.HttpResponseException;
import io.packing.store.Attempts;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.PreconditionFailedException;
import io.packing.store.RequestKind;
import io.packing.store.RequestedRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;

/** The translation of an answer or failure of Google's client to the port's exceptions. */
final class GoogleErrors {
    private static final Map<RequestKind, String> PERMISSIONS = Map.of(
            RequestKind.PUT, "storage.objects.create and storage.objects.delete",
            RequestKind.GET, "storage.objects.get",
            RequestKind.HEAD, "storage.objects.get",
            RequestKind.LIST, "storage.objects.list",
            RequestKind.DELETE, "storage.objects.delete");

    private final String location;
    private final String bucket;
    private final GoogleSource source;

    GoogleErrors(String location, String bucket, GoogleSource source) {
        this.location = location;
        this.bucket = bucket;
        this.source = source;
    }

    /** Returns the status of an answer; 0 when there is none. */
    static int status(IOException e) {
        return e instanceof HttpResponseException answer ? answer.getStatusCode() : 0;
    }

    /**
     * Returns the exception to throw; an {@link Attempts.Transient} when another attempt may succeed.
     *
     * @param attempt that has failed, from 1
     */
    IOException translate(RequestKind kind, String what, int attempt, IOException e) {
        if (e instanceof HttpResponseException answer) {
            return ofAnswer(kind, what, attempt, answer);
        }
        if (e instanceof GoogleConnection.NoCredentials none) {
            return source.failed(location, none.reason());
        }
        if (Thread.currentThread().isInterrupted()
                || (e instanceof InterruptedIOException
                        && !(e instanceof SocketTimeoutException)
                        && !(e instanceof ConnectionRequestTimeoutException))) {
            Thread.currentThread().interrupt();
            return Attempts.interrupted(what, e);
        }
        if (hasCause(e, CertificateException.class) || hasCause(e, CertPathBuilderException.class)) {
            return new IOException(
                    "%s: the certificate of the store is not trusted: %s. Name its authority in packing.s3.ca.file"
                            .formatted(location, describe(e)),
                    e);
        }
        return new Attempts.Transient(describe(e), false, e);
    }

    private IOException ofAnswer(RequestKind kind, String what, int attempt, HttpResponseException e) {
        int status = e.getStatusCode();
        String message = message(e);
        if (status == 429 || status == 503) {
            return new Attempts.Transient("throttled (%d %s)".formatted(status, message), true, e);
        }
        if (status >= 500 || status == 408) {
            return new Attempts.Transient("server error %d %s".formatted(status, message), false, e);
        }
        if (status == 404) {
            return message.contains("bucket")
                    ? noSuchBucket(e)
                    : new ObjectNotFoundException("%s: no such object".formatted(what), e);
        }
        if (status == 412) {
            return new PreconditionFailedException("%s: the object already exists".formatted(what), e);
        }
        if (status == 400 && message.contains("match")) {
            // The bytes may have changed on the way.
            return RequestedRange.wrong(what, "the store refused the bytes: " + message, attempt);
        }
        if (status == 401 || status == 403) {
            return new IOException(
                    "%s: %s: credentials refused (%d %s): %s. Next: %s, and allow it %s on bucket %s"
                            .formatted(
                                    location,
                                    what,
                                    status,
                                    message,
                                    source.name(),
                                    source.remedy(),
                                    PERMISSIONS.get(kind),
                                    bucket),
                    e);
        }
        return new IOException("%s: %s: %d %s".formatted(location, what, status, message), e);
    }

    IOException noSuchBucket(Exception cause) {
        return new IOException(
                "%s: there is no bucket %s; create bucket %s or fix packing.store".formatted(location, bucket, bucket),
                cause);
    }

    private static String message(HttpResponseException e) {
        Optional<String> details = e instanceof GoogleJsonResponseException json
                ? Optional.ofNullable(json.getDetails()).map(GoogleJsonError::getMessage)
                : Optional.empty();
        String text = details.orElseGet(
                () -> Optional.ofNullable(e.getContent()).orElseGet(() -> String.valueOf(e.getStatusMessage())));
        return text.lines().findFirst().orElse("").strip();
    }

    private static boolean hasCause(Throwable e, Class<?> kind) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
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
