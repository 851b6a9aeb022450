@NullMarked
package io.packing.lab.images;

import org.jspecify.annotations.NullMarked;
