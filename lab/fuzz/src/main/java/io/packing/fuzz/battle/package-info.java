/** Attackers and honest users that act at the same time, and the list of what was found. */
@NullMarked
package io.packing.fuzz.battle;

import org.jspecify.annotations.NullMarked;
