// SPDX-License-Identifier: Apache-2.0
/** Traces of the kernel's calls to a mounted directory. */
@NullMarked
package io.packing.fuse.posix.trace;

import org.jspecify.annotations.NullMarked;
