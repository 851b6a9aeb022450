/** Which group of masters has which mount: the table of it, where it is kept, and how it is asked from elsewhere. */
@NullMarked
package io.packing.bdt.master.spread;

import org.jspecify.annotations.NullMarked;
