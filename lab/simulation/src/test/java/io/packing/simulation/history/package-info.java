// SPDX-License-Identifier: Apache-2.0
/** Tests of the histories of names. */
@NullMarked
package io.packing.simulation.history;

import org.jspecify.annotations.NullMarked;
