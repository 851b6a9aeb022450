// SPDX-License-Identifier: Apache-2.0
/**
 * Trace-driven simulation of layered storage in virtual time. This package has the concepts that all models share:
 * kinds of I/O, the playback of a trace, the result of a run, names of parameters. The models are {@code layers},
 * {@code pack} and a cache alone.
 */
@NullMarked
package io.packing.sim;

import org.jspecify.annotations.NullMarked;
