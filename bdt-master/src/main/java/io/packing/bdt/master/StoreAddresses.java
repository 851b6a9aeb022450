// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.StoreAddress;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The addresses to which options of callers lead. */
final class StoreAddresses {
    private StoreAddresses() {}

    /** Returns the address; empty when the options name none, or are wrong, which another check tells. */
    static Optional<StoreAddress> of(Map<String, String> options) throws IOException {
        try {
            return options.getOrDefault("packing.store", "").isBlank()
                    ? Optional.empty()
                    : Optional.of(StoreAddress.of(StoreOptions.from(options)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
