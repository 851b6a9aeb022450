// SPDX-License-Identifier: Apache-2.0
/**
 * A prediction beside a bill: the requests of a store, as its own access log or a mount's meter counts them, their price, and how far a
 * prediction was from both. {@code packing audit-price} prints it.
 */
@NullMarked
package io.packing.sim.bill;

import org.jspecify.annotations.NullMarked;
