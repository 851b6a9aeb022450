// SPDX-License-Identifier: Apache-2.0
/**
 * A class loader that links production classes to a simulation: to its threads, waits, clocks and random numbers in place of the JDK's.
 * The classes themselves are those that ship.
 */
@NullMarked
package io.packing.simulation.relink;

import org.jspecify.annotations.NullMarked;
