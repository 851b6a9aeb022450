/** Removal of what no manifest reaches. */
@NullMarked
package io.packing.registry.gc;

import org.jspecify.annotations.NullMarked;
