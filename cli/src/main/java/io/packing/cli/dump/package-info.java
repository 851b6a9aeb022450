/** A mount's files as lines of text, and back: docs/operations.md has the format. */
@NullMarked
package io.packing.cli.dump;

import org.jspecify.annotations.NullMarked;
