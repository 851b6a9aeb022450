/** Tests of rounds. */
@NullMarked
package io.packing.chaos;

import org.jspecify.annotations.NullMarked;
