/** Layers of images as trees of a mount: the entries of a tar, what they come to, and the directories made of that. */
@NullMarked
package io.packing.layers.tree;

import org.jspecify.annotations.NullMarked;
