// SPDX-License-Identifier: Apache-2.0
/** The kernel's calls on nodes. */
@NullMarked
package io.packing.fuse.posix.calls;

import org.jspecify.annotations.NullMarked;
