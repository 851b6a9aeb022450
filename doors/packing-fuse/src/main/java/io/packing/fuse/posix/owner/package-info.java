// SPDX-License-Identifier: Apache-2.0
/** The owners of files: accounts of the machine, their texts in the table, and numbers for texts without an account. */
@NullMarked
package io.packing.fuse.posix.owner;

import org.jspecify.annotations.NullMarked;
