@NullMarked
package io.packing.posix.owner;

import org.jspecify.annotations.NullMarked;
