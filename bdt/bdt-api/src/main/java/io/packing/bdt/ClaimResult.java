package io.packing.bdt;

import io.packing.blob.FileVersion;

/** The BDT's answer to a claim. */
public sealed interface ClaimResult {
    /** The file is in the namespace, owned by the worker. */
    record Granted(FileVersion version) implements ClaimResult {}

    /** The namespace does not allow the file there; never {@link Outcome#DONE}. */
    record Refused(Outcome reason) implements ClaimResult {}
}
