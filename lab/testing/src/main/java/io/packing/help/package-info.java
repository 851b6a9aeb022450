/** Checks of the help of a command. */
@NullMarked
package io.packing.help;

import org.jspecify.annotations.NullMarked;
