@NullMarked
package io.packing.registry.files;

import org.jspecify.annotations.NullMarked;
