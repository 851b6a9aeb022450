// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.Bdt;
import java.io.IOException;

/** A way to the table of the mount that has the volumes. */
public interface MountSource {
    /**
     * Returns the table, which the first call opens.
     *
     * @throws io.packing.bdt.UnavailableException when no master answers
     */
    Bdt bdt() throws IOException;
}
