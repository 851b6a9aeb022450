/** Mounts: how a process gets a FUSE device, what keeps its server alive, and how nothing is left mounted. */
@NullMarked
package io.packing.fuse.mount;

import org.jspecify.annotations.NullMarked;
