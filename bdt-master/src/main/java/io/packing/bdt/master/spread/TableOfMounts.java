package io.packing.bdt.master.spread;

import io.packing.bdt.MountEntry;
import java.io.IOException;
import java.util.Optional;

/** Which group has which mount, wherever that is kept. Thread-safe. */
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
