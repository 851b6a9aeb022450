package io.packing.transport.token;

/** A token that is not accepted, and why. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidTokenException(String message) {
        super(message);
    }
}
