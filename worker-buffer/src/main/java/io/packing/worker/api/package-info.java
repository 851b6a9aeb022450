/** A mount as front doors see it: its files, their outputs and inputs, and everything it can be configured with. */
@NullMarked
package io.packing.worker.api;

import org.jspecify.annotations.NullMarked;
