// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.spread;

import io.packing.bdt.MountEntry;
import java.io.IOException;
import java.util.Optional;

/** The table of mounts and their groups, in any storage. Thread-safe. */
public interface TableOfMounts {
    /** An entry; empty: no group has the mount yet. */
    Optional<MountEntry> find(String mount) throws IOException;

    /**
     * Replaces an entry if it is as expected.
     *
     * @return what it is now: the next one, or what was there in its place
     */
    Optional<MountEntry> change(String mount, Optional<MountEntry> expected, MountEntry next) throws IOException;
}
