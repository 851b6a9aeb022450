@NullMarked
package io.packing.layers.root;

import org.jspecify.annotations.NullMarked;
