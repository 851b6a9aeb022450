@NullMarked
package io.packing.fuse.posix.draft;

import org.jspecify.annotations.NullMarked;
