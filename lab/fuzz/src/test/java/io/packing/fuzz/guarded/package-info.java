@NullMarked
package io.packing.fuzz.guarded;

import org.jspecify.annotations.NullMarked;
