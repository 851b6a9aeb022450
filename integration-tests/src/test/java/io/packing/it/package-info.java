/** Rules and end-to-end tests that no single module can hold. */
@NullMarked
package io.packing.it;

import org.jspecify.annotations.NullMarked;
