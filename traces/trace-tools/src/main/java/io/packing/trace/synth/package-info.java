/**
 * Synthetic traces of Facebook Messages (Harter's thesis, §3.3), seeded and streaming.
 *
 * <p>{@link io.packing.trace.synth.Workload} holds what the paper publishes, {@link io.packing.trace.synth.Model} what
 * follows from it, and {@link io.packing.trace.synth.SynthTrace} makes the events. docs/trace-synth.md tells the model.
 */
@NullMarked
package io.packing.trace.synth;

import org.jspecify.annotations.NullMarked;
