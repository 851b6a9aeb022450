// SPDX-License-Identifier: Apache-2.0
/** Plugins for the main class path of Alluxio's processes. */
@NullMarked
package io.packing.plugin;

import org.jspecify.annotations.NullMarked;
