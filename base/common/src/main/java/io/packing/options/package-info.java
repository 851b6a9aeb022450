// SPDX-License-Identifier: Apache-2.0
/** Typed, documented configuration options: a record per group of settings is parsed once, at the edge. */
@NullMarked
package io.packing.options;

import org.jspecify.annotations.NullMarked;
