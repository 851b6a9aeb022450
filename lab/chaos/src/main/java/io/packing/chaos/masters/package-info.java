// SPDX-License-Identifier: Apache-2.0
/**
 * Rounds of kills, stops, cut networks and store faults on a group of masters, whose histories must be linearizable.
 */
@NullMarked
package io.packing.chaos.masters;

import org.jspecify.annotations.NullMarked;
