/** The packing layer as a model: what an ingest costs and how long it takes, at sizes that no test machine has. */
@NullMarked
package io.packing.sim.pack;

import org.jspecify.annotations.NullMarked;
