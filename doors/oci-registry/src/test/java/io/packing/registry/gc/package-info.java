@NullMarked
package io.packing.registry.gc;

import org.jspecify.annotations.NullMarked;
