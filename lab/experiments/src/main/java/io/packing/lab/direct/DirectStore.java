// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import java.io.IOException;

/** The part of a store that has one object for each file. */
public interface DirectStore {
    /** Opens a new client of one kind. */
    DirectClient open(DirectKind kind) throws IOException;
}
