/** Writable roots of containers: images merged into one tree, clones of them, and what a container changed as a layer. */
@NullMarked
package io.packing.layers.root;

import org.jspecify.annotations.NullMarked;
