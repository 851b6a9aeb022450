// SPDX-License-Identifier: Apache-2.0
/** The volumes of a node: mounts of the kernel, and what a restarted driver has to know of them. */
@NullMarked
package io.packing.csi.node;

import org.jspecify.annotations.NullMarked;
