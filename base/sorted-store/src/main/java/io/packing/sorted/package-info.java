// SPDX-License-Identifier: Apache-2.0
/** Sorted key-value stores behind one port: LevelDB and RocksDB. */
@NullMarked
package io.packing.sorted;

import org.jspecify.annotations.NullMarked;
