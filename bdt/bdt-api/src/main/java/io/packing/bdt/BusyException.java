// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Duration;

/** A refusal by a master that does not take this call now: ask again after a while. The master has changed no row. */
public final class BusyException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private final long waitMillis;

    /** @param wait after which to ask again */
    public BusyException(String message, Duration wait) {
        super(message);
        this.waitMillis = wait.toMillis();
    }

    /** Makes the refusal from a call's failure. */
    public BusyException(String message, Duration wait, Throwable cause) {
        super(message, cause);
        this.waitMillis = wait.toMillis();
    }

    /** Returns the time after which to ask again. */
    public Duration waitFor() {
        return Duration.ofMillis(waitMillis);
    }
}
