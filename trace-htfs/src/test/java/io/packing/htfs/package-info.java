/** Tests of the wrappers. */
@NullMarked
package io.packing.htfs;

import org.jspecify.annotations.NullMarked;
