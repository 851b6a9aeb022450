// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

/** A login that is refused, with what to do about it. */
public final class RefusedLoginException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedLoginException(String message) {
        super(message);
    }

    RefusedLoginException(String message, Throwable cause) {
        super(message, cause);
    }
}
