/** Who may do what in which repository. */
@NullMarked
package io.packing.registry.access;

import org.jspecify.annotations.NullMarked;
