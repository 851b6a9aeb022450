@NullMarked
package io.packing.htfs.record;

import org.jspecify.annotations.NullMarked;
