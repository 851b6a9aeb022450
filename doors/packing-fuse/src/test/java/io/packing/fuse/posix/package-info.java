// SPDX-License-Identifier: Apache-2.0
/** Tests of POSIX mounts. */
@NullMarked
package io.packing.fuse.posix;

import org.jspecify.annotations.NullMarked;
