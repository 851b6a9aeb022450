@NullMarked
package io.packing.chaos.run;

import org.jspecify.annotations.NullMarked;
