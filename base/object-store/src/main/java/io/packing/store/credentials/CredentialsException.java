// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;

/** A source of credentials was asked for and gives none. The message names the source, the cause and the next step. */
public final class CredentialsException extends SdkClientException {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    CredentialsException(String message, boolean passing, @Nullable Throwable cause) {
        super(builder(message, cause));
        this.passing = passing;
    }

    CredentialsException(String message) {
        this(message, false, null);
    }

    private static Builder builder(String message, @Nullable Throwable cause) {
        Builder builder = SdkClientException.builder().message(message);
        return cause == null ? builder : builder.cause(cause);
    }

    /** Returns whether another attempt may succeed: the source did not answer, or was overloaded. */
    public boolean isPassing() {
        return passing;
    }
}
