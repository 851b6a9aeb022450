// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.util.Locale;

/** A right in a repository. */
public enum Right {
    PULL,
    PUSH,
    DELETE;

    /** As in the file of rights. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
