// SPDX-License-Identifier: Apache-2.0
/** Tests of the specification. */
@NullMarked
package io.packing.simulation.specification;

import org.jspecify.annotations.NullMarked;
