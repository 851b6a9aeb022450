// SPDX-License-Identifier: Apache-2.0
/** Experiments of the paper on ANViL: clones, snapshots and transactions. */
@NullMarked
package io.packing.lab.anvil;

import org.jspecify.annotations.NullMarked;
