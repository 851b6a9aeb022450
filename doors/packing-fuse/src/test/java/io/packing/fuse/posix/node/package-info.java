@NullMarked
package io.packing.fuse.posix.node;

import org.jspecify.annotations.NullMarked;
