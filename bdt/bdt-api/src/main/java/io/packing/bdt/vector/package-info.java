/** Atomic vectors: operations on a mount's namespace and bytes that happen together or not at all (ANViL, FAST '15). */
@NullMarked
package io.packing.bdt.vector;

import org.jspecify.annotations.NullMarked;
