// SPDX-License-Identifier: Apache-2.0
/** Tests of mounts. */
@NullMarked
package io.packing.fuse.mount;

import org.jspecify.annotations.NullMarked;
