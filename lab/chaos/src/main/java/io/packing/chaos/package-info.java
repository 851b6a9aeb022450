/** Seeded rounds of faults against a whole system, and what they prove: nothing acknowledged is lost, returns or reads wrong. */
@NullMarked
package io.packing.chaos;

import org.jspecify.annotations.NullMarked;
