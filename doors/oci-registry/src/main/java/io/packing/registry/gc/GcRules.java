package io.packing.registry.gc;

import io.packing.registry.dedup.LayerForm;
import java.time.Duration;
import java.util.Optional;

/**
 * What a collection may remove.
 *
 * @param grace what is younger stays
 * @param dryRun whether nothing is changed
 * @param dropsFor tags of images that have a translation to this form name that one from now on, so that what was pushed is garbage;
 *     empty: what was pushed stays
 */
public record GcRules(Duration grace, boolean dryRun, Optional<LayerForm> dropsFor) {}
