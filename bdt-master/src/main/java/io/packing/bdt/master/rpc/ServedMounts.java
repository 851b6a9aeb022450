// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import java.io.IOException;
import java.util.Map;

/** The mounts of a master, as its service needs them. Thread-safe. */
public interface ServedMounts {
    /** Opens a mount, or finds it open. */
    ServedMount open(OpenCall call) throws IOException;

    /** Returns the mounts that this master knows, with the places of their stores. */
    KnownMounts known();

    /**
     * Changes an open mount's shared options; they hold when this returns.
     *
     * @throws IllegalArgumentException naming what cannot be changed so
     */
    ServedMount change(String id, Map<String, String> options) throws IOException;

    /**
     * A mount that is open.
     *
     * @throws io.packing.bdt.rpc.MountNotOpenException when it is not
     */
    ServedMount mount(String id) throws IOException;
}
