@NullMarked
package io.packing.chaos.linear;

import org.jspecify.annotations.NullMarked;
