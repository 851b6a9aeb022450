/** The version of the build. */
@NullMarked
package io.packing.version;

import org.jspecify.annotations.NullMarked;
