// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.HomesRecord;

/** A mount is not at the store that a caller names, since it was evacuated; the message says where it is. */
final class EvacuatedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient HomesRecord homes;

    EvacuatedException(String store, HomesRecord homes) {
        super("the mount of %s was evacuated to %s: name that in packing.store"
                .formatted(store, homes.places().get(0).getOrDefault("packing.store", "")));
        this.homes = homes;
    }

    HomesRecord homes() {
        return homes;
    }
}
