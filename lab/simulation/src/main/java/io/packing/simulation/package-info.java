// SPDX-License-Identifier: Apache-2.0
/** The command that plays schedules of a simulated cluster, and their results. */
@NullMarked
package io.packing.simulation;

import org.jspecify.annotations.NullMarked;
