// SPDX-License-Identifier: Apache-2.0
/** The rig of demonstration and experiments: servers of every kind as child processes, in a directory that goes with them. */
@NullMarked
package io.packing.rig;

import org.jspecify.annotations.NullMarked;
