// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import io.packing.store.Attempts;
import io.packing.store.RequestKind;
import java.io.IOException;
import java.time.Duration;

/** The sender of requests to one store, which repeats them by {@link Attempts} and translates failures by {@link GoogleErrors}. */
final class GoogleCalls {
    private final Attempts attempts;
    private final GoogleErrors errors;
    private final Duration timeout;

    GoogleCalls(Attempts attempts, GoogleErrors errors, Duration timeout) {
        this.attempts = attempts;
        this.errors = errors;
        this.timeout = timeout;
    }

    /** Returns calls with a shorter timeout. */
    GoogleCalls within(Duration shorter) {
        return new GoogleCalls(attempts, errors, shorter.compareTo(timeout) < 0 ? shorter : timeout);
    }

    /** A call of Google's client, whose failures are plain ones of Java. */
    interface Client<T> {
        T call() throws IOException;
    }

    /** A failure of Google's client, to be translated. */
    static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;

        private final IOException failure;

        Failed(IOException failure) {
            super(failure);
            this.failure = failure;
        }

        int status() {
            return GoogleErrors.status(failure);
        }
    }

    /** Calls Google's client inside of a request. */
    static <T> T ask(Client<T> client) throws IOException {
        try {
            return client.call();
        } catch (IOException e) {
            throw new Failed(e);
        } catch (IllegalArgumentException | NullPointerException e) {
            // Google's parser fails so at an answer that broke off, before its first byte or within a value.
            throw new Failed(new IOException("the answer has no JSON: " + e.getMessage(), e));
        }
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
                    } catch (Failed e) {
                        throw errors.translate(kind, what, attempt, e.failure);
                    }
                },
                moved);
    }
}
