@NullMarked
package io.packing.cli.ibench;

import org.jspecify.annotations.NullMarked;
