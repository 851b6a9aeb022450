/** Traces of what the kernel asks of a mounted directory. */
@NullMarked
package io.packing.posix.trace;

import org.jspecify.annotations.NullMarked;
