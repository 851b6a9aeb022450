/** Where the things of a registry are in a mount, and the port through which they are reached. */
@NullMarked
package io.packing.registry.files;

import org.jspecify.annotations.NullMarked;
