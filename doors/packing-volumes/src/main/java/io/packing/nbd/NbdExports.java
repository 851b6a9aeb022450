// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.util.List;
import java.util.Optional;

/** The devices of a server, by the names that clients ask for. Thread-safe. */
public interface NbdExports {
    /** Returns the names for a client that lists them. */
    List<String> names();

    /** Returns the device of a name, of which the empty one is the default; empty: there is none. */
    Optional<NbdDevice> find(String name);

    /** Returns a line for people about a device of {@link #find}. */
    String description(String name);
}
