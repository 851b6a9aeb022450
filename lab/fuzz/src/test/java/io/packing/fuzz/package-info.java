@NullMarked
package io.packing.fuzz;

import org.jspecify.annotations.NullMarked;
