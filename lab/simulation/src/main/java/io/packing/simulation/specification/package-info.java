// SPDX-License-Identifier: Apache-2.0
/** The specification of a mount's protocol, which TLC checks for small sizes, and against the steps that simulated clusters recorded. */
@NullMarked
package io.packing.simulation.specification;

import org.jspecify.annotations.NullMarked;
