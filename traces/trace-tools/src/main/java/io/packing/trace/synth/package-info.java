// SPDX-License-Identifier: Apache-2.0
/**
 * Synthetic traces of Facebook Messages (Harter's thesis, §3.3), from a seed and as a stream.
 *
 * <p>{@link io.packing.trace.synth.Workload} has the published numbers, {@link io.packing.trace.synth.TraceModel} derives
 * others, and {@link io.packing.trace.synth.SynthTrace} makes the events. docs/trace-synth.md describes the model.
 */
@NullMarked
package io.packing.trace.synth;

import org.jspecify.annotations.NullMarked;
