/** The peer protocol: a worker's server and the client other workers use. Generated types stay in here. */
@NullMarked
package io.packing.worker.rpc;

import org.jspecify.annotations.NullMarked;
