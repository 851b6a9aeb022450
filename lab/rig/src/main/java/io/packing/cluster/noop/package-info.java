/** An under file system that stores nothing: the ceiling that any other one is compared with. */
@NullMarked
package io.packing.cluster.noop;

import org.jspecify.annotations.NullMarked;
