// SPDX-License-Identifier: Apache-2.0
/** The seed and the clock of a test. */
@NullMarked
package io.packing.seed;

import org.jspecify.annotations.NullMarked;
