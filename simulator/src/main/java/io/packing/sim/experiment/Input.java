// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.util.OptionalLong;

/**
 * The input of a simulation.
 *
 * @param text number of events or requests, and the scale, for a reader
 * @param seed of synthetic input; absent for a recorded one
 */
record Input(String text, OptionalLong seed) {}
