@NullMarked
package io.packing.cli.images;

import org.jspecify.annotations.NullMarked;
