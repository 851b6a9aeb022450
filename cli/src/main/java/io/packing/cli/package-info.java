/** The packing command. */
@NullMarked
package io.packing.cli;

import org.jspecify.annotations.NullMarked;
