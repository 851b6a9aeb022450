// SPDX-License-Identifier: Apache-2.0
/**
 * The reads of starting containers: recorded once for each image, kept beside it, and brought before the next container
 * asks for them.
 */
@NullMarked
package io.packing.layers.start;

import org.jspecify.annotations.NullMarked;
