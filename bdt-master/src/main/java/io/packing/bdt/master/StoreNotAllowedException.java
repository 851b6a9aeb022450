// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.StoreAddress;

/** The operator of this master does not let it use a store. */
final class StoreNotAllowedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient StoreAddress store;

    StoreNotAllowedException(StoreAddress store, String message) {
        super(message);
        this.store = store;
    }

    StoreAddress store() {
        return store;
    }
}
