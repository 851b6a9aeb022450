// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Steps that make a stream, one after the other. Confined to one thread. */
interface Steps extends Closeable {
    /** Returns the next step; empty: the end. */
    Optional<Step> next() throws IOException;
}
