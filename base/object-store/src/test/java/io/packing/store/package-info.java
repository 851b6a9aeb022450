@NullMarked
package io.packing.store;

import org.jspecify.annotations.NullMarked;
