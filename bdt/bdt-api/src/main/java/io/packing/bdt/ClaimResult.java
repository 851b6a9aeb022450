// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileVersion;
import java.util.Optional;

/** The BDT's answer to a claim. */
public sealed interface ClaimResult {
    /**
     * A grant: the namespace has the file, owned by the worker.
     *
     * @param appended the version that the appended file has now; empty: nothing was appended
     */
    record Granted(FileVersion version, Optional<FileVersion> appended) implements ClaimResult {
        public Granted(FileVersion version) {
            this(version, Optional.empty());
        }
    }

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
