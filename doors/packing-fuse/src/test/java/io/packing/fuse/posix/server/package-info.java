@NullMarked
package io.packing.fuse.posix.server;

import org.jspecify.annotations.NullMarked;
