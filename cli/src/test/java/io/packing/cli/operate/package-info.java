@NullMarked
package io.packing.cli.operate;

import org.jspecify.annotations.NullMarked;
