package io.packing.bdt;

import io.packing.blob.FileVersion;

/** The BDT's answer to a claim. */
public sealed interface ClaimResult {
    /** The file is in the namespace, owned by the worker. */
    record Granted(FileVersion version) implements ClaimResult {}

    /**
     * The namespace does not allow the file there.
     *
     * @param reason never {@link Outcome#DONE}
     * @param message who lacks which right, when it is {@link Outcome#DENIED}, or which quota is exceeded; else empty
     */
    record Refused(Outcome reason, String message) implements ClaimResult {
        public Refused(Outcome reason) {
            this(reason, "");
        }
    }
}
