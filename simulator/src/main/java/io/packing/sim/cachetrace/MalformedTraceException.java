package io.packing.sim.cachetrace;

import java.io.IOException;
import java.io.Serial;

/** A file is not what it is said to be; says where and why. Reading it again does not help. */
public final class MalformedTraceException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    MalformedTraceException(String message) {
        super(message);
    }

    MalformedTraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
