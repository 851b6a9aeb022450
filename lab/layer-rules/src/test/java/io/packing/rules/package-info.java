@NullMarked
package io.packing.rules;

import org.jspecify.annotations.NullMarked;
