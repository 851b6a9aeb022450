@NullMarked
package io.packing.hbase;

import org.jspecify.annotations.NullMarked;
