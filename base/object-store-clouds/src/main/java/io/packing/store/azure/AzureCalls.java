// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import io.packing.store.Attempts;
import io.packing.store.RequestKind;
import java.io.IOException;
import java.time.Duration;

/** The sender of requests to one store, which repeats them by {@link Attempts} and translates failures by {@link AzureErrors}. */
final class AzureCalls {
    private final Attempts attempts;
    private final AzureErrors errors;
    private final Duration timeout;

    AzureCalls(Attempts attempts, AzureErrors errors, Duration timeout) {
        this.attempts = attempts;
        this.errors = errors;
        this.timeout = timeout;
    }

    /** Returns calls with a shorter timeout. */
    AzureCalls within(Duration shorter) {
        return new AzureCalls(attempts, errors, shorter.compareTo(timeout) < 0 ? shorter : timeout);
    }

    <T> T run(RequestKind kind, String what, Attempts.Request<T> request) throws IOException {
        return run(kind, what, request, result -> 0);
    }

    /** Sends a request; Azure's client fails with exceptions that are not checked. */
    <T> T run(RequestKind kind, String what, Attempts.Request<T> request, Attempts.Moved<T> moved) throws IOException {
        return attempts.run(
                kind,
                what,
                timeout,
                attempt -> {
                    try {
                        return request.send(attempt);
                    } catch (RuntimeException e) {
                        throw errors.translate(kind, what, attempt, e);
                    }
                },
                moved);
    }
}
