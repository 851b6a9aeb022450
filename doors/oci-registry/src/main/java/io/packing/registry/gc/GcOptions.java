// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

import io.packing.registry.dedup.LayerForm;
import java.time.Duration;
import java.util.Optional;

/**
 * The rules of a collection.
 *
 * @param grace younger objects stay
 * @param dryRun whether nothing is changed
 * @param dropsFor tags of images that have a translation to this form name the translation from now on, so that the
 *     pushed images are garbage; empty: pushed images stay
 */
public record GcOptions(Duration grace, boolean dryRun, Optional<LayerForm> dropsFor) {}
