@NullMarked
package io.packing.storeservers;

import org.jspecify.annotations.NullMarked;
