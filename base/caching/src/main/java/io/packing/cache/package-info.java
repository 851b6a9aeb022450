/** Replacement policies over blocks of one size and over objects of any size, and what prefetching needs beside them. */
@NullMarked
package io.packing.cache;

import org.jspecify.annotations.NullMarked;
