@NullMarked
package io.packing.fuzz.calls;

import org.jspecify.annotations.NullMarked;
