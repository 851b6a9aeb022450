/** The house rules of how sources look, and the tests that keep them. */
@NullMarked
package io.packing.it.style;

import org.jspecify.annotations.NullMarked;
