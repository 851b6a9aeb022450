// SPDX-License-Identifier: Apache-2.0
/** Layers of images as trees of a mount: the entries of a tar, the merged entries, and the directories made of them. */
@NullMarked
package io.packing.layers.tree;

import org.jspecify.annotations.NullMarked;
