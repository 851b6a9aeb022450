// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileVersion;

/** The BDT's answer to a claim. */
public sealed interface ClaimResult {
    /** A grant: the namespace has the file, owned by the worker. */
    record Granted(FileVersion version) implements ClaimResult {}

    /**
     * A refusal: the namespace does not allow the file there.
     *
     * @param reason never {@link Outcome#DONE}
     * @param message the missing right of {@link Outcome#DENIED}, or the exceeded quota; else empty
     */
    record Refused(Outcome reason, String message) implements ClaimResult {
        public Refused(Outcome reason) {
            this(reason, "");
        }
    }
}
