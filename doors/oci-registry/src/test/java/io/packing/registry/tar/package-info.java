@NullMarked
package io.packing.registry.tar;

import org.jspecify.annotations.NullMarked;
