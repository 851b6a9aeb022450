package io.packing.sim.experiment;

import java.util.OptionalLong;

/**
 * What a simulation plays.
 *
 * @param text number of events or requests, and the scale, for people
 * @param seed of what is random in it; absent when it was recorded
 */
record Input(String text, OptionalLong seed) {}
