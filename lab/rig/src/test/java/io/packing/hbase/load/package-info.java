@NullMarked
package io.packing.hbase.load;

import org.jspecify.annotations.NullMarked;
