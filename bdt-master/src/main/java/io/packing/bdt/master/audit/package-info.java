/** Who asked a master for what, a line each, in the format of HDFS. */
@NullMarked
package io.packing.bdt.master.audit;

import org.jspecify.annotations.NullMarked;
