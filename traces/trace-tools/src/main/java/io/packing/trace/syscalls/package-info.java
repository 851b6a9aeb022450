// SPDX-License-Identifier: Apache-2.0
/** System calls of a process tree as a trace: backends that see the calls, and a model of their files and offsets. */
@NullMarked
package io.packing.trace.syscalls;

import org.jspecify.annotations.NullMarked;
