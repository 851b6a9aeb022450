// SPDX-License-Identifier: Apache-2.0
/** A check that a history of overlapping operations is linearizable: they could have happened one after the other. */
@NullMarked
package io.packing.linear;

import org.jspecify.annotations.NullMarked;
