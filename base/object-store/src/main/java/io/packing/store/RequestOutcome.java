package io.packing.store;

/** How one attempt of a request ended. */
public enum RequestOutcome {
    /** Answered, even if the answer is that there is no such object. */
    OK,
    /** Refused because of too many requests (503 SlowDown, 429). */
    THROTTLED,
    /** Any other failure: connection, server error, refusal. */
    FAILED
}
