// SPDX-License-Identifier: Apache-2.0
/** The replay of recorded system calls on a directory: first the initial tree, then the calls, none of them outside. */
@NullMarked
package io.packing.trace.syscalls.replay;

import org.jspecify.annotations.NullMarked;
