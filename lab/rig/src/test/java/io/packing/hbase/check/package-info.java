@NullMarked
package io.packing.hbase.check;

import org.jspecify.annotations.NullMarked;
