/** What containers read when they start: recorded once for each image, kept beside it, and brought before the next container asks for it. */
@NullMarked
package io.packing.layers.start;

import org.jspecify.annotations.NullMarked;
