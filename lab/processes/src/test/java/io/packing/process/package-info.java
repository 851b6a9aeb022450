@NullMarked
package io.packing.process;

import org.jspecify.annotations.NullMarked;
