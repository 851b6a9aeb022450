/** Which blobs of a mount are collected next, and which are not and why. */
@NullMarked
package io.packing.operations.gc;

import org.jspecify.annotations.NullMarked;
