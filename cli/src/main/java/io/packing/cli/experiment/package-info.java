/** Experiments: the paper's evaluation (§8), on one machine. */
@NullMarked
package io.packing.cli.experiment;

import org.jspecify.annotations.NullMarked;
