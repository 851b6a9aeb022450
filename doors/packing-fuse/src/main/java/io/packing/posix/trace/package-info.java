/** Traces of the kernel's calls to a mounted directory. */
@NullMarked
package io.packing.posix.trace;

import org.jspecify.annotations.NullMarked;
