/** Files of a process's own directory: locked against other processes, and there or not after a loss of power. */
@NullMarked
package io.packing.durable;

import org.jspecify.annotations.NullMarked;
