// SPDX-License-Identifier: Apache-2.0
/** Checks a mount: its table against itself, its blobs against its table, and the bytes of blobs against their checksums. */
@NullMarked
package io.packing.operations.fsck;

import org.jspecify.annotations.NullMarked;
