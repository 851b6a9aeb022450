@NullMarked
package io.packing.cli.log;

import org.jspecify.annotations.NullMarked;
