// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** A failure because the directory of a store is missing: the operator has not made it, or its disk is not mounted. */
public final class MissingStoreException extends IOException {
    private static final long serialVersionUID = 1;

    MissingStoreException(String message) {
        super(message);
    }
}
