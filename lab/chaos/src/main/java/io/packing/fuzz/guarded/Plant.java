// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import java.util.Map;

/**
 * A mistake planted in a guarded house, so that a test sees its judges find it.
 *
 * @param masterOptions of the master, beside the usual ones
 * @param organization of the attacker's certificate
 */
public record Plant(Map<String, String> masterOptions, String organization) {
    /** The plant without a mistake. */
    public static final Plant NONE = new Plant(Map.of(), "");

    public Plant {
        masterOptions = Map.copyOf(masterOptions);
    }
}
