/** What a child JVM runs so that it ends with its parent; also where the child is an older Java. */
@NullMarked
package io.packing.process.leash;

import org.jspecify.annotations.NullMarked;
