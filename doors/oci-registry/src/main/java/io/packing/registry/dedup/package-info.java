// SPDX-License-Identifier: Apache-2.0
/** Layers split into tar headers and shared file contents, and rebuilt from them. */
@NullMarked
package io.packing.registry.dedup;

import org.jspecify.annotations.NullMarked;
