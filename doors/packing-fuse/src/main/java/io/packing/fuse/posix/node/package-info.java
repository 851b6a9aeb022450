// SPDX-License-Identifier: Apache-2.0
/** The files and directories that the kernel knows, and the state that all calls of a mount share. */
@NullMarked
package io.packing.fuse.posix.node;

import org.jspecify.annotations.NullMarked;
