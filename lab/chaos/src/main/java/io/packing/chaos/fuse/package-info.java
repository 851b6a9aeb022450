/** Chaos through the kernel: programs on FUSE mounts whose servers, and all that is behind them, are killed. */
@NullMarked
package io.packing.chaos.fuse;

import org.jspecify.annotations.NullMarked;
