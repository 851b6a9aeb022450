// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** The outcome of one attempt of a request. */
public enum RequestOutcome {
    /** The store answered, perhaps that the object does not exist. */
    OK,
    /** The store refused too many requests (503 SlowDown, 429). */
    THROTTLED,
    /** Another failure: connection, server error, refusal. */
    FAILED
}
