@NullMarked
package io.packing.fuse.posix.publish;

import org.jspecify.annotations.NullMarked;
