// SPDX-License-Identifier: Apache-2.0
/** A farm of schedules: it plays seeds on all processors until one fails, makes that one small, and keeps a log of what was played. */
@NullMarked
package io.packing.simulation.farm;

import org.jspecify.annotations.NullMarked;
