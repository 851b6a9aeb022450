/** Rounds of kills, stops, cut networks and store faults over a group of masters, whose histories have to be linearizable. */
@NullMarked
package io.packing.chaos.masters;

import org.jspecify.annotations.NullMarked;
