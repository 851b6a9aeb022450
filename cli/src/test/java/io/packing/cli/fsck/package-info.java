@NullMarked
package io.packing.cli.fsck;

import org.jspecify.annotations.NullMarked;
