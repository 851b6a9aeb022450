/** Calls of any method with messages made from its descriptor, and judges of how they end. */
@NullMarked
package io.packing.fuzz.calls;

import org.jspecify.annotations.NullMarked;
