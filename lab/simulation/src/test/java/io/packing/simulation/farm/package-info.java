// SPDX-License-Identifier: Apache-2.0
/** Tests of the farm. */
@NullMarked
package io.packing.simulation.farm;

import org.jspecify.annotations.NullMarked;
