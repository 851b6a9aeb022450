@NullMarked
package io.packing.layers.start;

import org.jspecify.annotations.NullMarked;
