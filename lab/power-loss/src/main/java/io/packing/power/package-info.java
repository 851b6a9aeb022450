/** A disk for tests that keeps, at a power loss, what was forced and any part of the rest. */
@NullMarked
package io.packing.power;

import org.jspecify.annotations.NullMarked;
