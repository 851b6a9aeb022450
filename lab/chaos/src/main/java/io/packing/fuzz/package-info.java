// SPDX-License-Identifier: Apache-2.0
/**
 * A fuzz that calls every RPC of a living system with hostile values, and watches that no part dies, hangs, grows or
 * loses data.
 */
@NullMarked
package io.packing.fuzz;

import org.jspecify.annotations.NullMarked;
