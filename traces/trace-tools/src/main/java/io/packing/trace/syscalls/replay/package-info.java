/** Replay of recorded system calls on a directory: the tree as it was, then the calls, none of them outside. */
@NullMarked
package io.packing.trace.syscalls.replay;

import org.jspecify.annotations.NullMarked;
