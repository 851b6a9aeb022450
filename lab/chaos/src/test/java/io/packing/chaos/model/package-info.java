/** Tests of the model. */
@NullMarked
package io.packing.chaos.model;

import org.jspecify.annotations.NullMarked;
