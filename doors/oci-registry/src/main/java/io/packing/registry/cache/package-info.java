// SPDX-License-Identifier: Apache-2.0
/** Layers on the disk of a registry process: those that users are expected to pull next, and those that were pulled. */
@NullMarked
package io.packing.registry.cache;

import org.jspecify.annotations.NullMarked;
