/** System calls of a process tree as a trace: backends that see them, and a model that knows their files and offsets. */
@org.jspecify.annotations.NullMarked
package io.packing.trace.syscalls;
