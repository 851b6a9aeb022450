/** Tests of mounts. */
@NullMarked
package io.packing.fuse.mount;

import org.jspecify.annotations.NullMarked;
