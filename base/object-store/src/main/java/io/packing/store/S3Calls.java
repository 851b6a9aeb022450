// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The sender of requests to one store, which repeats them by {@link Attempts} and translates failures by {@link
 * S3Errors}.
 */
final class S3Calls {
    private final Attempts attempts;
    private final S3Errors errors;
    private final Duration timeout;

    S3Calls(Attempts attempts, S3Errors errors, Duration timeout) {
        this.attempts = attempts;
        this.errors = errors;
        this.timeout = timeout;
    }

    /** Returns calls with a shorter timeout. */
    S3Calls within(Duration shorter) {
        return new S3Calls(attempts, errors, shorter.compareTo(timeout) < 0 ? shorter : timeout);
    }

    <T> T run(RequestKind kind, String what, Attempts.Request<T> request) throws IOException {
        return run(kind, what, request, result -> 0);
    }

    <T> T run(RequestKind kind, String what, Attempts.Request<T> request, Attempts.Moved<T> moved) throws IOException {
        return attempts.run(
                kind,
                what,
                timeout,
                attempt -> {
                    try {
                        return request.send(attempt);
                    } catch (SdkException e) {
                        throw errors.translate(kind, what, attempt, e);
                    } catch (UncheckedIOException e) {
                        throw e.getCause();
                    }
                },
                moved);
    }

    IOException noSuchBucket(Exception cause) {
        return errors.noSuchBucket(cause);
    }
}
