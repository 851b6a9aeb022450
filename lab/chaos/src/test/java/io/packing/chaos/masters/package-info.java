@NullMarked
package io.packing.chaos.masters;

import org.jspecify.annotations.NullMarked;
