// SPDX-License-Identifier: Apache-2.0
/** Cache tiers in front of the disks: RAM, flash, and flash as a write buffer (§3.4). */
@NullMarked
package io.packing.sim.tier;

import org.jspecify.annotations.NullMarked;
