/** Recorded system calls through a local stack: page cache, file system, one device; and what packing would make of it. */
@NullMarked
package io.packing.sim.desktop;

import org.jspecify.annotations.NullMarked;
