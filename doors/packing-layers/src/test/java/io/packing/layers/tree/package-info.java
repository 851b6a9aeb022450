@NullMarked
package io.packing.layers.tree;

import org.jspecify.annotations.NullMarked;
