/** Tests of POSIX mounts. */
@NullMarked
package io.packing.posix;

import org.jspecify.annotations.NullMarked;
