/** Child JVMs: started, watched until ready, stopped, and never left behind. */
@NullMarked
package io.packing.process;

import org.jspecify.annotations.NullMarked;
