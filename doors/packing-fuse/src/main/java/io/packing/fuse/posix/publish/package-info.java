// SPDX-License-Identifier: Apache-2.0
/** The ways of drafts into the mount: alone, in batches, at the close or behind it. */
@NullMarked
package io.packing.fuse.posix.publish;

import org.jspecify.annotations.NullMarked;
