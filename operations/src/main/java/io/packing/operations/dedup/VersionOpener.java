// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import io.packing.bdt.LocatedFile;
import io.packing.worker.api.PackingInput;
import java.io.IOException;

/** Opens the bytes of a file version. */
public interface VersionOpener {
    PackingInput open(LocatedFile file) throws IOException;
}
