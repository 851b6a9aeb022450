// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.token;

/** The reason why a token is not accepted. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidTokenException(String message) {
        super(message);
    }
}
