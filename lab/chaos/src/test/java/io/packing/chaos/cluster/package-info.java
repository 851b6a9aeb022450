@NullMarked
package io.packing.chaos.cluster;

import org.jspecify.annotations.NullMarked;
