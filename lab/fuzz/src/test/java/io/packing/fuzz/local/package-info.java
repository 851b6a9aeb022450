@NullMarked
package io.packing.fuzz.local;

import org.jspecify.annotations.NullMarked;
