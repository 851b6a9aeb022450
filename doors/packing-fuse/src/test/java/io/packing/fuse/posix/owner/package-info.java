@NullMarked
package io.packing.fuse.posix.owner;

import org.jspecify.annotations.NullMarked;
