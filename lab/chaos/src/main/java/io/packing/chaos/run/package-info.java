/** What all commands have in common that play rounds: their options, seeds and counts. */
@NullMarked
package io.packing.chaos.run;

import org.jspecify.annotations.NullMarked;
