// SPDX-License-Identifier: Apache-2.0
/** The unpublished writes of files: their bytes on the local disk, and the journal by which a later server has them again. */
@NullMarked
package io.packing.fuse.posix.draft;

import org.jspecify.annotations.NullMarked;
