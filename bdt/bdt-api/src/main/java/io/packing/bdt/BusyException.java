package io.packing.bdt;

import java.time.Duration;

/** The master is there, and does not take this call now: ask again after a while. Nothing was changed. */
public final class BusyException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private final long waitMillis;

    /** @param wait after which to ask again */
    public BusyException(String message, Duration wait) {
        super(message);
        this.waitMillis = wait.toMillis();
    }

    /** The same as a failure of a call. */
    public BusyException(String message, Duration wait, Throwable cause) {
        super(message, cause);
        this.waitMillis = wait.toMillis();
    }

    /** After how long to ask again. */
    public Duration waitFor() {
        return Duration.ofMillis(waitMillis);
    }
}
