@NullMarked
package io.packing.registry;

import org.jspecify.annotations.NullMarked;
