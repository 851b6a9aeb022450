// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import java.io.IOException;

/** Keeps the space on a disk free that others need more. */
public interface DiskCheck {
    /** Nothing is checked. */
    DiskCheck NONE = bytes -> {};

    /** Throws {@link io.packing.sorted.DiskFullException} when a file must not grow by so many bytes. */
    void admit(long bytes) throws IOException;
}
