@NullMarked
package io.packing.registry.dedup;

import org.jspecify.annotations.NullMarked;
