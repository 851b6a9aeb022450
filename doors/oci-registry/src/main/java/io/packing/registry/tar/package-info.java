// SPDX-License-Identifier: Apache-2.0
/** Tars of layers, read and written with bytes as bytes: one reader for all that cuts, shows or compares them. */
@NullMarked
package io.packing.registry.tar;

import org.jspecify.annotations.NullMarked;
