@NullMarked
package io.packing.registry.cache;

import org.jspecify.annotations.NullMarked;
