// SPDX-License-Identifier: Apache-2.0
/** Attackers and honest users that act at one time, and the list of finds. */
@NullMarked
package io.packing.fuzz.battle;

import org.jspecify.annotations.NullMarked;
