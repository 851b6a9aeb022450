// SPDX-License-Identifier: Apache-2.0
/** A disk for tests. At a power loss it keeps the forced data and a part of the rest. */
@NullMarked
package io.packing.power;

import org.jspecify.annotations.NullMarked;
