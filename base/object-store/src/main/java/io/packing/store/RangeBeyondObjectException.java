// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** A failure of a range beyond the end of its object, which is shorter than the reader believed. */
public final class RangeBeyondObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    RangeBeyondObjectException(String message) {
        super(message);
    }
}
