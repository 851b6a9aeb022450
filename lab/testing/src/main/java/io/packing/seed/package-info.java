/** The seed and the clock of a test. */
@NullMarked
package io.packing.seed;

import org.jspecify.annotations.NullMarked;
