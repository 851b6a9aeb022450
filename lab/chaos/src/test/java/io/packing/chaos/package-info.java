// SPDX-License-Identifier: Apache-2.0
/** Tests of rounds. */
@NullMarked
package io.packing.chaos;

import org.jspecify.annotations.NullMarked;
