/** System calls of a process tree as a trace: backends that see them, and a model that knows their files and offsets. */
@NullMarked
package io.packing.trace.syscalls;

import org.jspecify.annotations.NullMarked;
