// SPDX-License-Identifier: Apache-2.0
/** Disks, flash drives and cloud volumes, and the scheduler in front of each (§3.2.2). */
@NullMarked
package io.packing.sim.device;

import org.jspecify.annotations.NullMarked;
