/** S3 servers that others made, as processes of this machine, and a network to a server that breaks as a seed has it. */
@NullMarked
package io.packing.storeservers;

import org.jspecify.annotations.NullMarked;
