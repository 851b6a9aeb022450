@NullMarked
package io.packing.fuzz.raw;

import org.jspecify.annotations.NullMarked;
