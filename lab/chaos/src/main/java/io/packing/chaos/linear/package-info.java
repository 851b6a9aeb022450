/** Whether a history of operations that overlapped could have happened one operation after the other. */
@NullMarked
package io.packing.chaos.linear;

import org.jspecify.annotations.NullMarked;
