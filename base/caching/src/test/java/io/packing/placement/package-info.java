@NullMarked
package io.packing.placement;

import org.jspecify.annotations.NullMarked;
