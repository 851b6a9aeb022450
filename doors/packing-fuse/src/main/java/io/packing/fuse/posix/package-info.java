// SPDX-License-Identifier: Apache-2.0
/** POSIX file systems over packing mounts: nodes, drafts of writes, and the calls of the kernel. */
@NullMarked
package io.packing.fuse.posix;

import org.jspecify.annotations.NullMarked;
