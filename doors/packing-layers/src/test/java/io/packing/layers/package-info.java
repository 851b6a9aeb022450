@NullMarked
package io.packing.layers;

import org.jspecify.annotations.NullMarked;
