// SPDX-License-Identifier: Apache-2.0
/** Volumes, snapshots and groups of snapshots as directories of a mount: all that is known of them is in the table. */
@NullMarked
package io.packing.csi.volume;

import org.jspecify.annotations.NullMarked;
