// SPDX-License-Identifier: Apache-2.0
/** Programs with planted defects, and some without, for tests of the scheduler. */
@NullMarked
package io.packing.simulation.planted;

import org.jspecify.annotations.NullMarked;
