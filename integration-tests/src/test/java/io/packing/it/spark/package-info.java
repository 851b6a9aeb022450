/** What runs in a Spark process of its own, over Alluxio's client, and knows nothing of packing. */
@NullMarked
package io.packing.it.spark;

import org.jspecify.annotations.NullMarked;
