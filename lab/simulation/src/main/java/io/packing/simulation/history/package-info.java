// SPDX-License-Identifier: Apache-2.0
/** Histories of names, which the clients of simulated clusters recorded: two checkers look for an order of their operations. */
@NullMarked
package io.packing.simulation.history;

import org.jspecify.annotations.NullMarked;
