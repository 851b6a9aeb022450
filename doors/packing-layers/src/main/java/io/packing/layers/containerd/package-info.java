// SPDX-License-Identifier: Apache-2.0
/**
 * A snapshotter of containerd. Records of snapshots and their files are below; {@link ContainerdSnapshots} decides, and
 * {@link MountedRoots} brings the roots of images from a registry.
 */
@NullMarked
package io.packing.layers.containerd;

import org.jspecify.annotations.NullMarked;
