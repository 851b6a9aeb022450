// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.io.IOException;
import java.io.Serial;

/** A file in another format than the user says; the message has the place and the reason. A retry does not help. */
public final class MalformedTraceException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int LONGEST_QUOTE = 200;

    MalformedTraceException(String message) {
        super(message);
    }

    MalformedTraceException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Quotes a file's text for a message: short, and without characters that a terminal obeys. */
    static String quote(String text) {
        String start = text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "..." : text;
        return start.replaceAll("\\p{Cntrl}|\\p{Cf}|\uFFFD", "?");
    }
}
