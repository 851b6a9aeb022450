/** Child JVMs: started, watched until ready, stopped, and never left behind. */
@NullMarked
package io.packing.cluster.process;

import org.jspecify.annotations.NullMarked;
