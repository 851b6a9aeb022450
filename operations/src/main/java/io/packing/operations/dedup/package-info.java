// SPDX-License-Identifier: Apache-2.0
/**
 * Deduplication: it finds equal bytes below a path of a mount and makes files share them. A client of the BDT port and
 * of readers of files.
 */
@NullMarked
package io.packing.operations.dedup;

import org.jspecify.annotations.NullMarked;
