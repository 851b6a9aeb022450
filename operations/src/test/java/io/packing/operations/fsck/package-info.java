@NullMarked
package io.packing.operations.fsck;

import org.jspecify.annotations.NullMarked;
