@NullMarked
package io.packing.registry.store;

import org.jspecify.annotations.NullMarked;
