// SPDX-License-Identifier: Apache-2.0
/** A scheduler of real threads of which one runs at a time, in virtual time and in an order that a seed determines. */
@NullMarked
package io.packing.simulation.schedule;

import org.jspecify.annotations.NullMarked;
