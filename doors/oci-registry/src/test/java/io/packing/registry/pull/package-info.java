@NullMarked
package io.packing.registry.pull;

import org.jspecify.annotations.NullMarked;
