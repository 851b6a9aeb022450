/** Which buffered files share a blob, and in which order. */
@NullMarked
package io.packing.worker.policy;

import org.jspecify.annotations.NullMarked;
