/** Tests of what clients answer. */
@NullMarked
package io.packing.chaos.client;

import org.jspecify.annotations.NullMarked;
