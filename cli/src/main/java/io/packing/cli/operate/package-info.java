/** How mounts are and what they do, for operators. */
@NullMarked
package io.packing.cli.operate;

import org.jspecify.annotations.NullMarked;
