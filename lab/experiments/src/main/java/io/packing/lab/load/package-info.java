// SPDX-License-Identifier: Apache-2.0
/** Loads that several experiments share: clients, small files, and meters of both. */
@NullMarked
package io.packing.lab.load;

import org.jspecify.annotations.NullMarked;
