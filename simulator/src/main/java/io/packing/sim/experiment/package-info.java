// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments as data: a HOCON file names trace, stack, sweep and outputs; this package runs the sweep and writes
 * tables, plots and the report.
 */
@NullMarked
package io.packing.sim.experiment;

import org.jspecify.annotations.NullMarked;
