@NullMarked
package io.packing.lab.ibench;

import org.jspecify.annotations.NullMarked;
