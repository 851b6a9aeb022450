/** What clients were told, and so what the files of a round may be. */
@NullMarked
package io.packing.chaos.model;

import org.jspecify.annotations.NullMarked;
