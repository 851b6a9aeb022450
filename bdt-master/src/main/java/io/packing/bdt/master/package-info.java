/** The BDT master: namespace, ordered log, gRPC server, backup and recovery. */
@NullMarked
package io.packing.bdt.master;

import org.jspecify.annotations.NullMarked;
