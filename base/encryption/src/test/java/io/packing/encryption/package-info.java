@NullMarked
package io.packing.encryption;

import org.jspecify.annotations.NullMarked;
