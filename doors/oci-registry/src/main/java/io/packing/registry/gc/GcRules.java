package io.packing.registry.gc;

import java.time.Duration;

/**
 * What a collection may remove.
 *
 * @param grace what is younger stays
 * @param dryRun whether nothing is changed
 * @param dropOriginals whether tags of images that have a translation name that one from now on, so that what was pushed is garbage
 */
public record GcRules(Duration grace, boolean dryRun, boolean dropOriginals) {}
