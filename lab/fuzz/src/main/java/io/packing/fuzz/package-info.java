/** Calls every RPC of a living system with hostile values, and watches that nothing dies, hangs, grows or is lost. */
@NullMarked
package io.packing.fuzz;

import org.jspecify.annotations.NullMarked;
