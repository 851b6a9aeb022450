// SPDX-License-Identifier: Apache-2.0
/** Layers of a registry's images as a read-only file system for container engines. */
@NullMarked
package io.packing.layers;

import org.jspecify.annotations.NullMarked;
