/**
 * Trace-driven simulation of layered storage in virtual time. Here are the words that all models share: kinds of I/O, how a trace
 * is played, what a run found, names of parameters. The models are {@code layers}, {@code pack} and a cache alone.
 */
@NullMarked
package io.packing.sim;

import org.jspecify.annotations.NullMarked;
